import { meanRanking, measureRanking } from '@citewell/contract/ranking-measures'
import type { Question } from '../sets/read-set.ts'
import type { Measured } from './measured.ts'

/** One system on one set. Times in milliseconds, including the embedding of the question. */
export interface PeerFigures {
  set: string
  name: string
  setting: string
  ndcg10: number
  hit5: number
  /** Number of questions with a known answer, which the quality figures are based on; `asked` is the number that were timed. */
  judged: number
  asked: number
  /** Questions that ended in an exception. */
  failed: number
  failure: string | undefined
  p50: number
  p95: number
  /** Building the index without embedding: Citewell's on the disk, from pages; the others' in memory, from passages. */
  buildMs: number
  residentMb: number
}

/** The value that this share (0 to 1) of the values does not exceed. */
function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0
}

export function figuresOf(
  set: string,
  questions: readonly Question[],
  { pages, times, ...system }: Measured,
): PeerFigures {
  const measured = questions.flatMap(({ relevant }, at) => measureRanking(pages[at] ?? [], relevant) ?? [])
  const mean = meanRanking(measured)
  return {
    set,
    ...system,
    ndcg10: mean?.ndcg10 ?? 0,
    hit5: mean?.hit5 ?? 0,
    judged: measured.length,
    asked: times.length,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  }
}
