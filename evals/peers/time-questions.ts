/** The results for each question, in order. */
export interface Timed {
  /** Pages, best first, without duplicates. */
  pages: string[][]
  /** Milliseconds per question, including its embedding. */
  times: number[]
  /** Questions that failed with an exception: they count as finding nothing. */
  failed: number
  /** The message of the first exception. */
  failure: string | undefined
}

/** Number of pages that are read. */
const PAGES = 10

/**
 * Asks one question after the other, each once: systems cache the vectors of earlier questions.
 *
 * @param warmUp - asked first without being measured: they load code and fill caches
 */
export async function timeQuestions(
  { questions, warmUp }: { questions: readonly string[]; warmUp: readonly string[] },
  find: (question: string) => Promise<string[]>,
): Promise<Timed> {
  for (const question of warmUp) await find(question).catch(() => [])
  const timed: Timed = { pages: [], times: [], failed: 0, failure: undefined }
  for (const question of questions) {
    const startedAt = performance.now()
    const pages = await find(question).catch((fault: unknown) => {
      timed.failed += 1
      timed.failure ??= String(fault)
      return []
    })
    timed.times.push(performance.now() - startedAt)
    timed.pages.push([...new Set(pages)].slice(0, PAGES))
  }
  return timed
}
