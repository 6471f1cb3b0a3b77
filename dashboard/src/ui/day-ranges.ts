const RANGES = [7, 30, 90] as const

const named = (days: number) => [String(days), `Last ${days} days`] as const

/** Ranges to choose from, with the one that is shown, which an address may have chosen. */
export const dayRanges = (shown: number): readonly (readonly [value: string, name: string])[] =>
  [...new Set<number>([...RANGES, shown])].toSorted((one, other) => one - other).map(named)

/** The days that an address asks for, as many as the service counts. */
export const readDays = (wanted: number | undefined): number =>
  Math.min(366, Math.max(1, Math.round(wanted ?? 30)))
