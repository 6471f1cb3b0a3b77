import { Worker } from 'node:worker_threads'
import type { StorageFault, StorageReply, StorageRequest, StorageWorkerData } from './pglite-messages.ts'

export interface QueryOutcome {
  rows: Record<string, unknown>[]
  affectedRows: number | undefined
}

/** The embedded database's only session, held by one caller at a time. */
export interface Session {
  query(text: string, values: readonly unknown[]): Promise<QueryOutcome>
  /** Several statements without parameters, in one implicit transaction. */
  exec(text: string): Promise<QueryOutcome>
  release(): void
}

export interface PgliteClient {
  /** Waits for its turn. A transaction keeps the session from `begin` to `commit`. */
  acquire(): Promise<Session>
  /** The whole database as a gzipped tar, to start another one from. */
  dump(): Promise<Uint8Array>
  close(): Promise<void>
}

/** An error of the database, with PostgreSQL's own code (`23505` is a unique violation), as the `pg` package has it. */
class StorageError extends Error {
  readonly code: string | undefined
  readonly constraint: string | undefined

  constructor(fault: StorageFault) {
    super(fault.message)
    this.name = 'StorageError'
    this.code = fault.code
    this.constraint = fault.constraint
  }
}

type Unnumbered<Request> = Request extends { id: number } ? Omit<Request, 'id'> : never

const YOUNG_GENERATION_MB = 8

/** Starts the embedded database in its worker thread, and lines up those who use it. */
export function startPglite(data: StorageWorkerData): PgliteClient {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: data,
    // Results live a moment: a larger young generation only holds memory (measured: 27 to 103 MB more while indexing).
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  const waiting = new Map<
    number,
    { resolve: (outcome: QueryOutcome) => void; reject: (reason: Error) => void }
  >()
  let lastId = 0
  let dead: Error | undefined

  const fail = (reason: Error) => {
    dead ??= reason
    for (const call of waiting.values()) call.reject(reason)
    waiting.clear()
  }
  worker.on('message', (reply: StorageReply) => {
    const call = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('fault' in reply) call?.reject(new StorageError(reply.fault))
    else call?.resolve(reply)
  })
  worker.on('error', (error) => fail(new Error('The embedded storage stopped.', { cause: error })))
  worker.on('exit', () => fail(new Error('The embedded storage is closed.')))

  const send = (request: Unnumbered<StorageRequest>): Promise<QueryOutcome> =>
    new Promise((resolve, reject) => {
      if (dead !== undefined) {
        reject(dead)
        return
      }
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      worker.postMessage({ ...request, id: lastId })
    })

  let lineEnd: Promise<void> = Promise.resolve()
  function acquire(): Promise<Session> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const turn = lineEnd
    lineEnd = turn.then(() => released)
    return turn.then(() => ({
      query: (text, values) => send({ kind: 'query', text, values: [...values] }),
      exec: (text) => send({ kind: 'exec', text }),
      release,
    }))
  }

  return {
    acquire,
    dump: async () => {
      const session = await acquire()
      try {
        const { rows } = await send({ kind: 'dump' })
        return rows[0]?.['bytes'] as Uint8Array
      } finally {
        session.release()
      }
    },
    close: async () => {
      if (dead !== undefined) return
      const session = await acquire()
      await send({ kind: 'close' }).catch(() => undefined)
      session.release()
      await worker.terminate()
    },
  }
}
