import type { SimulationReport } from '@citewell/contract/simulation-report'
import { groupQuestions, SAME_TOPIC } from '../../../answers/analytics/analytics.ts'
import { truncateText } from '../../../kernel/cut-text.ts'
import type { Embedder } from '../../../platform/embedding/embedder.ts'

/** Most tickets that are compared with each other, and most groups that are told. */
export const MOST_COMPARED = 1_000
const MOST_GAPS = 30
const MOST_REFS = 10
const MAX_QUESTION = 300

export interface GroupDeps {
  /** Undefined while there is no embedding model: words are compared then. */
  embedder: () => Pick<Embedder, 'embedPassages'> | undefined
  report: (fault: unknown, activity: string) => void
}

/** What was not answered, by topic, the most frequent first. */
export async function groupUnanswered(
  { embedder: embedderInUse, report }: GroupDeps,
  knowledgeBaseId: string,
  tickets: readonly { ref: string | null; text: string }[],
  signal: AbortSignal,
): Promise<SimulationReport['gaps']> {
  const refs = new Map(tickets.map(({ ref }, at) => [String(at), ref]))
  const questions = tickets.map(({ text }, at) => ({
    id: String(at),
    thread_id: String(at),
    query: text,
    rewritten_query: null,
    opens_thread: true,
    covered: false,
    stopped_by: null,
    vote: null,
    comment: null,
    created_at: new Date(0),
  }))
  const vectors = {
    of: async (_: string, compared: readonly { text: string }[]) => {
      const embedder = embedderInUse()
      if (embedder === undefined) return undefined
      try {
        return await embedder.embedPassages(
          compared.map(({ text }) => text),
          signal,
        )
      } catch (fault) {
        signal.throwIfAborted()
        report(fault, 'comparing tickets by their meaning')
        return undefined
      }
    },
  }
  const { groups } = await groupQuestions({ knowledgeBaseId, questions, from: SAME_TOPIC }, vectors, signal)
  return groups.slice(0, MOST_GAPS).map(({ questions: same, wordings }) => ({
    question: truncateText((wordings[0]?.query ?? '').replaceAll(/\s+/g, ' '), MAX_QUESTION).toWellFormed(),
    tickets: same.length,
    refs: same.flatMap(({ id }) => refs.get(id) ?? []).slice(0, MOST_REFS),
  }))
}
