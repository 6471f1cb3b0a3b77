/** After a change: more of them are likely to come. In milliseconds. */
const SETTLING = 200
/** Writing questions takes at most one part in so many of the time, while changes go on. */
const SHARE = 20
const LONGEST = 60_000

export interface QuestionRefreshes {
  /** Has the questions of a base written anew, soon and not for each of many changes. */
  plan(knowledgeBaseId: string): void
}

/** Decides when questions are written anew while documents change one by one. */
export function createQuestionRefreshes(deps: {
  refresh: (knowledgeBaseId: string) => Promise<void>
  stopping: AbortSignal
}): QuestionRefreshes {
  const planned = new Map<string, NodeJS.Timeout>()
  /** When a base may be written anew again. */
  const resting = new Map<string, number>()

  async function run(knowledgeBaseId: string): Promise<void> {
    planned.delete(knowledgeBaseId)
    const startedAt = performance.now()
    await deps.refresh(knowledgeBaseId).catch(() => {})
    const now = performance.now()
    for (const [id, until] of resting) if (until < now) resting.delete(id)
    resting.set(knowledgeBaseId, now + Math.min(LONGEST, (now - startedAt) * SHARE))
  }

  deps.stopping.addEventListener('abort', () => {
    for (const timer of planned.values()) clearTimeout(timer)
    planned.clear()
  })

  return {
    plan: (knowledgeBaseId) => {
      if (planned.has(knowledgeBaseId) || deps.stopping.aborted) return
      const wait = Math.max(SETTLING, (resting.get(knowledgeBaseId) ?? 0) - performance.now())
      planned.set(knowledgeBaseId, setTimeout(() => void run(knowledgeBaseId), wait).unref())
    },
  }
}
