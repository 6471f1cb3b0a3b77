import { DAY_MS } from '../../../kernel/duration.ts'
import type { DeskMessage } from '../help-desk.ts'

/** Answers to one address in a day; more of them go to a program that answers each with a new mail, and does not say that it is one. */
export const MAX_ANSWERS_TO_ADDRESS = 10

const MAX_ADDRESSES = 5_000

/** How many answers went to an address in the last day, as far as this process knows: a mailbox knows more, unless it keeps nothing. */
export interface AnswersLately {
  count(from: string, to: string): number
  note(from: string, to: string): void
}

/** Whether an address had so many that a first answer on another ticket is not given. */
export const isFlood = (
  lately: AnswersLately,
  from: string,
  to: string,
  said: readonly DeskMessage[],
): boolean => !said.some(({ by }) => by === 'us') && lately.count(from, to) >= MAX_ANSWERS_TO_ADDRESS

export function createAnswersLately(now: () => number): AnswersLately {
  const times = new Map<string, number[]>()
  const recent = (key: string) => (times.get(key) ?? []).filter((at) => at > now() - DAY_MS)
  return {
    count: (from, to) => recent(`${from} ${to}`).length,
    note: (from, to) => {
      const key = `${from} ${to}`
      const kept = [...recent(key), now()].slice(-MAX_ANSWERS_TO_ADDRESS)
      times.delete(key)
      times.set(key, kept)
      const [oldest] = times.size > MAX_ADDRESSES ? times.keys() : []
      if (oldest !== undefined) times.delete(oldest)
    },
  }
}
