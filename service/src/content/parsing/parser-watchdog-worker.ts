import { parentPort, workerData } from 'node:worker_threads'

/**
 * A thread within a parser process. It kills the process, whatever that is doing, if it exceeds its limit of resident memory (which
 * includes what libraries allocate outside of V8's heap), if a task exceeds its CPU time, or if the service that started it is gone.
 */
const { memoryLimit } = workerData as { memoryLimit: number }

/** Unpacking grows by about a gigabyte a second: some 20 MB between two checks. */
const EVERY_MS = 20

const service = process.ppid

/** CPU time in milliseconds; no limit while the process is idle. */
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
