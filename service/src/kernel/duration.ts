export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Milliseconds from one time of the wall clock to another; 0 if the clock was set back between them. */
export const elapsedMs = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime())
