import { parentPort, workerData } from 'node:worker_threads'

/**
 * A thread within a parser process. It kills the process, whatever that is doing, if it exceeds its limit of resident memory (which
 * includes what libraries allocate outside of V8's heap), if a task exceeds its CPU time, or if the service that started it is gone.
 */
const { memoryLimit } = workerData as { memoryLimit: number }

/** Unpacking grows by about a gigabyte a second: some 20 MB between two checks. */
const EVERY_MS = 20
/** Without a task nothing grows, and a parser waits for hours. */
const IDLE_EVERY_MS = 500

const service = process.ppid

/** CPU time in milliseconds; no limit while the process is idle. */
let workUntil = Number.POSITIVE_INFINITY

const worked = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function check() {
  if (process.memoryUsage.rss() > memoryLimit || process.ppid !== service)
    process.kill(process.pid, 'SIGKILL')
  if (worked() > workUntil) process.kill(process.pid, 'SIGXCPU')
}

let checking = setInterval(check, IDLE_EVERY_MS)

parentPort?.on('message', (workLimitMs: number) => {
  const isIdle = workLimitMs === 0
  workUntil = isIdle ? Number.POSITIVE_INFINITY : worked() + workLimitMs
  clearInterval(checking)
  checking = setInterval(check, isIdle ? IDLE_EVERY_MS : EVERY_MS)
})
