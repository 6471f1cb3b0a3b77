import { workerData } from 'node:worker_threads'

/**
 * A thread within the process of a parser. It ends the process, whatever that is doing, when it holds more memory than it
 * may (resident memory: what libraries hold outside of V8's heap counts), or when the service that started it is gone.
 */
const { memoryLimit } = workerData as { memoryLimit: number }

/** Unpacking grows by about a gigabyte a second: some 20 MB between two looks. */
const EVERY_MS = 20

const service = process.ppid

setInterval(() => {
  if (process.memoryUsage.rss() > memoryLimit || process.ppid !== service) process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)
