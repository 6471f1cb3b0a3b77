import type { HoldFigures } from '../../content/syncs/syncs.ts'

/** hit@5: the page is among the first five. */
const HIT = 5

/** Questions that are kept with a sync, to say what it would lose. */
const MAX_LOST = 50

export interface Asked {
  question: string
  /** Place of its page in the results; undefined: not among them. */
  before: number | undefined
  after: number | undefined
}

const isHit = (rank: number | undefined): rank is number => rank !== undefined && rank <= HIT

/** What the ranks of every question say. */
export function holdFiguresOf(asked: readonly Asked[]): HoldFigures {
  const lost = asked.flatMap(({ question, before, after }) =>
    isHit(before) && !isHit(after) ? [{ question, rank_before: before, rank_after: after ?? null }] : [],
  )
  return {
    questions: asked.length,
    hit5_before: asked.filter(({ before }) => isHit(before)).length,
    hit5_after: asked.filter(({ after }) => isHit(after)).length,
    lost: lost.slice(0, MAX_LOST),
  }
}

/** Whether hit@5 falls by more than this share. Counted in questions, so that 0.1 of ten is not more than one. */
export function fallsBeyond(figures: HoldFigures, maxDrop: number): boolean {
  const fall = figures.hit5_before - figures.hit5_after
  return fall > maxDrop * figures.questions + 1e-9
}

export interface Ranked {
  rank: number | undefined
  /** How was searched: see `SearchOutcome`. */
  mode: 'hybrid' | 'lexical'
}

type RankOf<Question> = (question: Question, signal: AbortSignal) => Promise<Ranked>

/**
 * The ranks of each question before and after, one question after the other. Both sides of a question are searched in the same way: where
 * the embedding model failed on one of them, both are searched once more, and left out if they still differ.
 *
 * @param within `limit`: what was not asked by then is left out
 * @throws Error if no question could be compared; the reason of `signal` if that is aborted
 */
export async function compareRanks<Question extends { question: string }>(
  questions: readonly Question[],
  rankOf: { before: RankOf<Question>; after: RankOf<Question> },
  { signal, limit }: { signal: AbortSignal; limit: AbortSignal },
): Promise<Asked[]> {
  const either = AbortSignal.any([signal, limit])
  const searchBoth = async (question: Question) => ({
    before: await rankOf.before(question, either),
    after: await rankOf.after(question, either),
  })
  const asked: Asked[] = []
  for (const question of questions) {
    try {
      either.throwIfAborted()
      let { before, after } = await searchBoth(question)
      if (before.mode !== after.mode) ({ before, after } = await searchBoth(question))
      if (before.mode !== after.mode) continue
      asked.push({ question: question.question, before: before.rank, after: after.rank })
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) break
      throw error
    }
  }
  if (asked.length === 0) throw new Error('No question could be compared.')
  return asked
}
