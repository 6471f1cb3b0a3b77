import { parentPort, workerData } from 'node:worker_threads'

/**
 * A thread within the process of a parser. It ends the process, whatever that is doing, when it holds more memory than it
 * may (resident memory: what libraries hold outside of V8's heap counts), when a task takes more of the processor than it
 * may, or when the service that started it is gone.
 */
const { memoryLimit } = workerData as { memoryLimit: number }

/** Unpacking grows by about a gigabyte a second: some 20 MB between two looks. */
const EVERY_MS = 20

const service = process.ppid

/** Of the processor, in milliseconds; none while nothing is done. */
let workUntil = Number.POSITIVE_INFINITY

const worked = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

parentPort?.on('message', (workLimitMs: number) => {
  workUntil = workLimitMs === 0 ? Number.POSITIVE_INFINITY : worked() + workLimitMs
})

setInterval(() => {
  if (process.memoryUsage.rss() > memoryLimit || process.ppid !== service)
    process.kill(process.pid, 'SIGKILL')
  if (worked() > workUntil) process.kill(process.pid, 'SIGXCPU')
}, EVERY_MS)
