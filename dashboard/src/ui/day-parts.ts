import type { Analytics } from '@citewell/sdk/management'
import { count, counted } from './time.tsx'

export type Day = Pick<Analytics['days'][number], 'day' | 'questions' | 'finished' | 'not_covered'>

/** What became of the questions of a day, as its bar shows them from the ground up. */
export const PARTS = [
  ['notCovered', 'not covered'],
  ['unfinished', 'without a complete answer'],
  ['covered', 'covered'],
] as const

export type PartsOfDay = Record<(typeof PARTS)[number][0], number>

/** Answers that were stopped or failed are neither covered nor not covered. */
export const partsOf = ({ questions, finished, not_covered: notCovered }: Omit<Day, 'day'>): PartsOfDay => ({
  covered: finished - notCovered,
  notCovered,
  unfinished: questions - finished,
})

/** `5 questions: 3 covered, 1 not covered, 1 without a complete answer`. */
export function saidOf(of: Omit<Day, 'day'>, when = ''): string {
  const { covered, notCovered, unfinished } = partsOf(of)
  const rest = unfinished > 0 ? `, ${count(unfinished)} without a complete answer` : ''
  return `${counted(of.questions, 'question')}${when}: ${count(covered)} covered, ${count(notCovered)} not covered${rest}`
}
