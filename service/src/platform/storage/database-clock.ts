import type { Storage } from './storage.ts'

/** The time of the database, for every process that shares it. */
export interface DatabaseClock {
  now: () => Date
  stop(): void
}

export interface DatabaseClockDeps {
  storage: Pick<Storage, 'execute'>
  /** The clock of this process. */
  ownNow: () => Date
  /** A statement that fails changes nothing: the last difference that was measured is used on. */
  onFailed: (fault: unknown) => void
}

/** Shorter than the shortest lease: a clock that jumps is followed before a lease that was written by it has ended. */
const MEASURED_EVERY_MS = 5_000

/**
 * How far the clock of the database is ahead of this one. It was read somewhere between the two times of this process, and of what is
 * possible the difference that is known is kept: else the time of every process would tremble with each measurement.
 */
export function differenceOf(
  known: number,
  { before, read, after }: { before: number; read: number; after: number },
): number {
  const [least, most] = [read - after, read - before]
  return Math.min(Math.max(known, least), most)
}

/**
 * Follows the clock of the database. Leases and due times that one process writes and another one compares would otherwise go by two
 * clocks: one that is a minute ahead would take work from others, and delay what it puts off.
 */
export async function openDatabaseClock(deps: DatabaseClockDeps): Promise<DatabaseClock> {
  const { storage, ownNow, onFailed } = deps
  let difference = 0

  async function measure(): Promise<void> {
    const before = ownNow().getTime()
    const { rows } = await storage.execute(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds',
    )
    const after = ownNow().getTime()
    const read = Math.floor(Number(rows[0]?.['milliseconds']))
    // A clock that was set back meanwhile measures nothing.
    if (Number.isFinite(read) && after >= before)
      difference = differenceOf(difference, { before, read, after })
  }

  await measure()
  let isMeasuring = false
  const timer = setInterval(() => {
    if (isMeasuring) return
    isMeasuring = true
    void measure()
      .catch(onFailed)
      .finally(() => {
        isMeasuring = false
      })
  }, MEASURED_EVERY_MS)
  timer.unref()

  return { now: () => new Date(ownNow().getTime() + difference), stop: () => clearInterval(timer) }
}
