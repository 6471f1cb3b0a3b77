import { elapsedMs } from '../../kernel/duration.ts'

const STEPS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
]

/** `3 h ago`: short enough for a column of a table. */
export function timeAgo(time: string, now: Date): string {
  const seconds = elapsedMs(new Date(time), now) / 1_000
  for (const [unit, length] of STEPS) {
    if (seconds >= length) return `${Math.floor(seconds / length)} ${unit} ago`
  }
  return 'just now'
}
