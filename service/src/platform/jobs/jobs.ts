import { PgBoss } from 'pg-boss'
import type { Storage } from '../storage/storage.ts'

/** Background work, done by whichever process takes it. */
export interface Job {
  /** Queue name, e.g. `sync-source`. */
  name: string
  /** Cron expression in UTC for scheduled work. */
  schedule?: string
  /** Maximum number of these jobs that one process runs concurrently. Default: 1. */
  concurrency?: number
  /** The signal is aborted when the process is shutting down. */
  handle(data: Record<string, string>, signal: AbortSignal): Promise<void>
}

export interface Jobs {
  /** Creates the queues; with `isWorker` also starts to process jobs. */
  start(jobs: readonly Job[], isWorker: boolean): Promise<void>
  enqueue(name: string, data: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

/** A job that is not done by then is given to another worker; the rooms' own leases keep two workers from doing it. */
const EXPIRE_AFTER_SECONDS = 6 * 60 * 60

const RETRY_DELAY_SECONDS = 5

const QUEUE = { expireInSeconds: EXPIRE_AFTER_SECONDS, retryLimit: 2, retryDelay: RETRY_DELAY_SECONDS }

/** Idle workers poll this often for what other processes enqueue; a job enqueued by this process starts immediately. */
const POLLING_SECONDS = 2

/**
 * For scheduled work, which is due by the minute or the hour: most queues are of that, and each poll is a statement. And for all work of an
 * embedded database, which no other process has open.
 */
const RELAXED_POLLING_SECONDS = 30

/** After a job that failed is due again. */
const RETRY_MARGIN_MS = 250

/** The job queue, in the same database as all other data: a job is lost only if the database is. */
export function createJobs(deps: { storage: Storage; onError: (error: unknown) => void }): Jobs {
  const { storage, onError } = deps
  const boss = new PgBoss({
    db: { executeSql: (text, values) => storage.execute(text, values) },
    backend: storage.engine === 'embedded' ? 'pglite' : 'postgres',
    monitorVacuum: false,
    reindex: false,
  })
  boss.on('error', onError)
  const stopping = new AbortController()
  const workers = new Map<string, string[]>()

  async function work(job: Job): Promise<void> {
    const isRelaxed = job.schedule !== undefined || storage.engine === 'embedded'
    const pollingIntervalSeconds = isRelaxed ? RELAXED_POLLING_SECONDS : POLLING_SECONDS
    const ids: string[] = []
    workers.set(job.name, ids)
    for (let worker = 0; worker < (job.concurrency ?? 1); worker += 1) {
      const id = await boss.work<Record<string, string>>(
        job.name,
        { pollingIntervalSeconds, batchSize: 1 },
        async ([taken]) => {
          try {
            if (taken !== undefined) await job.handle(taken.data ?? {}, stopping.signal)
          } catch (fault) {
            setTimeout(() => wake(job.name), RETRY_DELAY_SECONDS * 1_000 + RETRY_MARGIN_MS).unref()
            throw fault
          } finally {
            // What was enqueued meanwhile is next.
            wake(job.name)
          }
        },
      )
      ids.push(id)
    }
  }

  function wake(name: string): void {
    for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
  }

  return {
    start: async (jobs, isWorker) => {
      await boss.start()
      // Creating a queue that is there, or its schedule again, changes nothing and takes a transaction each.
      const queues = new Set((await boss.getQueues()).map(({ name }) => name))
      const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
      for (const { name, schedule } of jobs) {
        if (!queues.has(name)) await boss.createQueue(name, QUEUE)
        if (schedule !== undefined && schedules.get(name) !== schedule) await boss.schedule(name, schedule)
      }
      if (isWorker) for (const job of jobs) await work(job)
    },
    enqueue: async (name, data) => {
      await boss.send(name, data)
      wake(name)
    },
    stop: async () => {
      stopping.abort(new Error('The service is shutting down.'))
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}
