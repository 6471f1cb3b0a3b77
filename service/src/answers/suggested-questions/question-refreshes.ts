/** Debounce after a change, in milliseconds: more changes are likely to follow. */
const DEBOUNCE_MS = 200
/** While changes continue, at most one part in this many of the time is spent writing questions. */
const SHARE = 20
const MAX_INTERVAL_MS = 60_000

export interface QuestionRefreshes {
  /** Schedules rewriting the questions of a base: soon, and once for a series of changes. */
  plan(knowledgeBaseId: string): void
}

/** Decides when questions are rewritten while documents change one by one. */
export function createQuestionRefreshes(deps: {
  refresh: (knowledgeBaseId: string) => Promise<void>
  stopping: AbortSignal
}): QuestionRefreshes {
  const planned = new Map<string, NodeJS.Timeout>()
  /** The earliest time at which a base may be rewritten again. */
  const resting = new Map<string, number>()

  async function run(knowledgeBaseId: string): Promise<void> {
    planned.delete(knowledgeBaseId)
    const startedAt = performance.now()
    await deps.refresh(knowledgeBaseId).catch(() => {})
    const now = performance.now()
    for (const [id, until] of resting) if (until < now) resting.delete(id)
    resting.set(knowledgeBaseId, now + Math.min(MAX_INTERVAL_MS, (now - startedAt) * SHARE))
  }

  deps.stopping.addEventListener('abort', () => {
    for (const timer of planned.values()) clearTimeout(timer)
    planned.clear()
  })

  return {
    plan: (knowledgeBaseId) => {
      if (planned.has(knowledgeBaseId) || deps.stopping.aborted) return
      const wait = Math.max(DEBOUNCE_MS, (resting.get(knowledgeBaseId) ?? 0) - performance.now())
      planned.set(knowledgeBaseId, setTimeout(() => void run(knowledgeBaseId), wait).unref())
    },
  }
}
