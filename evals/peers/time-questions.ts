/** What came back for each question, in their order. */
export interface Timed {
  /** Pages, best first, each once. */
  pages: string[][]
  /** Milliseconds of each, its embedding included. */
  times: number[]
  /** Questions that ended in an exception: they found nothing. */
  failed: number
  /** What the first of these said. */
  failure: string | undefined
}

/** As many pages as are looked at. */
const PAGES = 10

/**
 * Asks one question after the other, each once: systems remember the vectors of those asked before.
 *
 * @param warmUp - asked first, and not measured: they load code, and fill caches
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
