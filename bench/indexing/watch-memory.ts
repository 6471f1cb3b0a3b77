import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const INTERVAL_MS = 1_000

export interface MemoryWatch extends Disposable {
  /** Resident memory in MB, sampled every second since the start. */
  readonly megabytes: readonly number[]
}

/** Resident memory of a process in MB, according to the operating system; undefined when it has ended. */
async function residentMegabytes(pid: number): Promise<number | undefined> {
  const output = await run('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => undefined)
  const kilobytes = Number(output?.stdout.trim() ?? Number.NaN)
  return Number.isNaN(kilobytes) ? undefined : kilobytes / 1_024
}

/** Samples a process every second. */
export function watchMemory(pid: number): MemoryWatch {
  const megabytes: number[] = []
  const timer = setInterval(() => {
    void residentMegabytes(pid).then((now) => now !== undefined && megabytes.push(now))
  }, INTERVAL_MS)
  return { megabytes, [Symbol.dispose]: () => clearInterval(timer) }
}

export const highest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0)
