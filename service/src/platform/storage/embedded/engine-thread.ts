import { Worker } from 'node:worker_threads'
import { asUnavailable, StorageUnavailable } from '../storage-unavailable.ts'
import type { StorageFault, StorageReply, StorageRequest, StorageWorkerData } from './pglite-messages.ts'

export interface QueryOutcome {
  rows: Record<string, unknown>[]
  affectedRows: number | undefined
}

type Unnumbered<Request> = Request extends { id: number } ? Omit<Request, 'id'> : never
export type EngineRequest = Unnumbered<StorageRequest>

/** One run of the embedded database, from opening to end. */
export interface EngineThread {
  /** Rejects if it could not be opened. */
  opened: Promise<void>
  /** Resolves with the reason when it has ended. Never rejects. */
  ended: Promise<Error>
  /** Rejects immediately if the engine has ended, and terminates the engine if the answer does not arrive in time. */
  send(request: EngineRequest, limitMs: number | undefined): Promise<QueryOutcome>
  /** Terminates it immediately. */
  terminate(): Promise<void>
}

/** A database error with PostgreSQL's own code (`23505` is a unique violation), like that of the `pg` package. */
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

const YOUNG_GENERATION_MB = 8

interface Call {
  resolve: (outcome: QueryOutcome) => void
  reject: (reason: unknown) => void
  timer: NodeJS.Timeout | undefined
}

export const isDiskFullMessage = (words: string) => /no space left|ENOSPC|disk quota/i.test(words)

/** The error for callers that waited for an engine that ended. */
const afterEnd = (why: Error) =>
  why instanceof StorageUnavailable
    ? why
    : new StorageUnavailable(isDiskFullMessage(why.message) ? 'full' : 'opening', why)

export function startEngine(data: StorageWorkerData): EngineThread {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: data,
    // Results are short-lived: a larger young generation only holds memory (measured: 27 to 103 MB more while indexing).
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  const waiting = new Map<number, Call>()
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Error>()
  // Callers that wait for the opening get the error; without them it must not be an unhandled rejection.
  opened.promise.catch(() => undefined)
  let lastId = 0
  let end: Error | undefined

  const finish = (why: Error) => {
    if (end !== undefined) return
    end = why
    opened.reject(why)
    for (const call of waiting.values()) {
      clearTimeout(call.timer)
      call.reject(afterEnd(why))
    }
    waiting.clear()
    ended.resolve(why)
  }
  const terminate = async (why: Error) => {
    finish(why)
    await worker.terminate()
  }

  worker.on('message', (reply: StorageReply) => {
    if ('isOpen' in reply) return opened.resolve()
    if ('ended' in reply) return finish(new Error(reply.ended))
    const call = waiting.get(reply.id)
    if (call === undefined) return undefined
    waiting.delete(reply.id)
    clearTimeout(call.timer)
    return 'fault' in reply ? call.reject(asUnavailable(new StorageError(reply.fault))) : call.resolve(reply)
  })
  worker.on('error', (error) => finish(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => finish(new Error('The thread of the embedded storage ended.')))

  return {
    opened: opened.promise,
    ended: ended.promise,
    send: (request, limitMs) =>
      new Promise((resolve, reject) => {
        if (end !== undefined) {
          reject(afterEnd(end))
          return
        }
        lastId += 1
        const timer =
          limitMs === undefined
            ? undefined
            : setTimeout(() => {
                void terminate(new StorageUnavailable('tooLong'))
              }, limitMs)
        waiting.set(lastId, { resolve, reject, timer })
        worker.postMessage({ ...request, id: lastId })
      }),
    terminate: () => terminate(new StorageUnavailable('closed')),
  }
}
