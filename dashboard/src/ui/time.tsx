import { useMinute } from './use-minute.ts'

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
// The long style names the time zone.
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })

/** A time as people say it; the exact one on hover, with its time zone. */
export function Time({ at, absent = 'never' }: { at: string | null | undefined; absent?: string }) {
  useMinute()
  if (at === null || at === undefined) return <>{absent}</>
  const date = new Date(at)
  const seconds = (date.getTime() - Date.now()) / 1_000
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  const isNow = seconds > 0 ? 'in a moment' : 'just now'
  const said = step === undefined ? isNow : relative.format(Math.round(seconds / step[1]), step[0])
  return (
    <time dateTime={at} title={absolute.format(date)}>
      {said}
    </time>
  )
}

const number = new Intl.NumberFormat('en')
export const count = (value: number): string => number.format(value)

/** A number with its words, of one and of several. */
export const counted = (value: number, one: string, several = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : several}`
