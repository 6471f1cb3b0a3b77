import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A time in which the service did not answer although a core was available to its main thread. */
export interface Stall {
  /** Milliseconds until `/healthz` answered, not counting the time in which the main thread waited for a core. */
  milliseconds: number
  /** Milliseconds measured by the caller. */
  seen: number
  /** Milliseconds of `Date.now()` when the request was sent. */
  at: number
}

export interface Watched {
  /** The longest stall, however short. */
  worst: Stall
  /** Peak of resident memory in MiB: of the service's process, alone and with its children. */
  peakMebibytes: { service: number; tree: number }
  nowMebibytes: { service: number; tree: number }
  /** Requests to `/healthz` that failed. */
  failures: number
}

const EVERY_MS = 25
const MEMORY_EVERY_MS = 200
const TIMEOUT_MS = 120_000

const [address = '', pidText = ''] = process.argv.slice(2)
const pid = Number(pidText)

/** Nanoseconds that the main thread waited for a core (Linux, `Documentation/scheduler/sched-stats.rst`). */
function waitedForCore(): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1])
}

const NOTHING: Stall = { milliseconds: 0, seen: 0, at: 0 }
let worst = NOTHING
let failures = 0
let peak = { service: 0, tree: 0 }
let now = peak

async function askHealth(): Promise<void> {
  const waitedBefore = waitedForCore()
  const at = Date.now()
  const startedAt = performance.now()
  try {
    const response = await fetch(new URL('/healthz', address), { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.text()
    if (!response.ok) failures += 1
  } catch {
    failures += 1
  }
  const seen = performance.now() - startedAt
  const milliseconds = seen - (waitedForCore() - waitedBefore) / 1e6
  if (milliseconds > worst.milliseconds) {
    worst = { milliseconds: Math.round(milliseconds), seen: Math.round(seen), at }
  }
}

/** Resident pages of each process and its parent, from `/proc`. */
function residentTree(): { service: number; tree: number } {
  const parents = new Map<number, number>()
  const resident = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))
      resident.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024)
    } catch {
      // The process ended between the two reads.
    }
  }
  const isOfService = (process: number): boolean => {
    for (let each: number | undefined = process; each !== undefined && each > 1; each = parents.get(each)) {
      if (each === pid) return true
    }
    return false
  }
  let tree = 0
  for (const [process, mebibytes] of resident) if (isOfService(process)) tree += mebibytes
  return { service: Math.round(resident.get(pid) ?? 0), tree: Math.round(tree) }
}

function readMemory(): void {
  now = residentTree()
  peak = { service: Math.max(peak.service, now.service), tree: Math.max(peak.tree, now.tree) }
}

process.on('message', () => {
  readMemory()
  process.send?.({ worst, peakMebibytes: peak, nowMebibytes: now, failures } satisfies Watched)
  worst = NOTHING
  failures = 0
  peak = now
})
process.on('disconnect', () => process.exit())
setInterval(readMemory, MEMORY_EVERY_MS)
process.send?.('ready')
for (;;) {
  await askHealth()
  await delay(EVERY_MS)
}
