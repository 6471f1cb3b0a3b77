import { readFileSync } from 'node:fs'

/** Resident memory of a process in megabytes; undefined if it has ended. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    return undefined
  }
}

/** Watches processes until it is stopped: the peak memory of any of them, and the longest time that this process was blocked. */
export function watchProcesses(processIds: () => number[]) {
  const EVERY_MS = 5
  const before = residentMegabytes(process.pid) ?? 0
  let parser = 0
  let own = 0
  let stalled = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    stalled = Math.max(stalled, now - last - EVERY_MS)
    last = now
    for (const pid of processIds()) parser = Math.max(parser, residentMegabytes(pid) ?? 0)
    own = Math.max(own, residentMegabytes(process.pid) ?? 0)
  }, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return { parserMegabytes: parser, ownGrowthMegabytes: own - before, stalledMs: stalled }
    },
  }
}
