import { setTimeout as sleep } from 'node:timers/promises'
import { isDiskFullMessage, startEngine, type EngineRequest, type QueryOutcome } from './engine-thread.ts'
import { keepEngineOpen, type EngineState } from './keep-engine-open.ts'
import type { StorageWorkerData } from './pglite-messages.ts'
import { createSessionQueue } from './session-queue.ts'
import { manageDisk } from './manage-disk.ts'
import { markUnfinished } from './unfinished-directory.ts'

/** The embedded database's only session, held by one caller at a time. It ends with the engine on which it was started. */
export interface Session {
  /** @param begin starts a transaction first, with the same call: the statement is its first one */
  query(text: string, values: readonly unknown[], begin?: string): Promise<QueryOutcome>
  /** Several statements without parameters, in one implicit transaction. */
  exec(text: string): Promise<QueryOutcome>
  release(): void
}

export interface PgliteClient {
  /** Waits in the queue for the session. A transaction keeps it from `begin` to `commit`. */
  acquire(): Promise<Session>
  /** Rejects with advice on what to do if it cannot be opened at all. */
  opened(): Promise<void>
  /** From here on a statement that takes too long ends the engine. Before that, schema upgrades may take long. */
  limitStatements(): void
  state(): EngineState
  /** The disk is so full that nothing may be written. */
  isReadOnly(): boolean
  /** The files of the whole database as a tar, from which another one can start. */
  dump(): Promise<Uint8Array>
  /** Takes at most some seconds, whatever the engine does. A second call waits for the first. */
  close(): Promise<void>
}

type Report = (fault: unknown, what: string) => void

/** The longest known statement takes 100 s: a vector index of 200,000 passages. */
const MAX_STATEMENT_MS = 600_000

/** Readers do not wait longer than this. */
const QUEUE = { waitMs: 60_000, mostWaiting: 10_000 }

/** A clean shutdown writes what is in memory; what is not written is in the log. */
const MAX_CLOSING_MS = 5_000

/** How long a running transaction may take to finish at shutdown. */
const MAX_WAIT_FOR_HOLDER_MS = 2_000

/** Starts the embedded database in its worker thread, keeps it open, and queues its callers. */
export function startPglite(data: StorageWorkerData, report: Report = () => undefined): PgliteClient {
  const line = createSessionQueue(QUEUE)
  let statementMs: number | undefined
  let closing: Promise<void> | undefined

  const disk =
    data.directory === undefined
      ? undefined
      : manageDisk({
          directory: data.directory,
          report,
          setReadOnly: (isReadOnly) => inTurn({ kind: 'exec', text: readOnlyStatement(isReadOnly) }),
          checkpoint: () => inTurn({ kind: 'exec', text: 'checkpoint' }),
        })
  const unfinished = data.directory === undefined ? undefined : markUnfinished(data.directory)

  const kept = keepEngineOpen({
    start: () => startEngine(data),
    beforeOpening: async () => await unfinished?.beforeOpening(),
    makeRoom: async () => await disk?.makeRoom(),
    onOpened: async (engine) => {
      await unfinished?.afterOpening()
      const isReadOnly = (await disk?.mustBeReadOnly()) === true
      if (isReadOnly) await engine.send({ kind: 'exec', text: readOnlyStatement(true) }, MAX_STATEMENT_MS)
      disk?.opened(isReadOnly)
    },
    report,
    now: () => new Date(),
  })

  async function acquire(): Promise<Session> {
    // Before the queue: all callers of an engine that is being opened wait for the same time, and not one after the other.
    await kept.current()
    const release = await line.join()
    try {
      const engine = await kept.current()
      const send = (request: EngineRequest) => engine.send(request, statementMs)
      return {
        query: (text, values, begin) => send({ kind: 'query', text, values: [...values], begin }),
        exec: (text) => send({ kind: 'exec', text }),
        release,
      }
    } catch (error) {
      release()
      throw error
    }
  }

  async function inTurn(request: { kind: 'exec'; text: string }): Promise<void> {
    const session = await acquire()
    try {
      await session.exec(request.text)
    } finally {
      session.release()
    }
  }

  async function close(): Promise<void> {
    disk?.stop()
    await kept.close(async (engine) => {
      const patience = sleep(MAX_WAIT_FOR_HOLDER_MS, undefined, { ref: false })
      await Promise.race([line.join(), patience]).catch(() => undefined)
      const ended = engine.send({ kind: 'close' }, MAX_CLOSING_MS)
      await ended.catch(() => undefined)
    })
  }

  return {
    acquire,
    opened: async () => {
      try {
        await kept.current()
      } catch (error) {
        throw notOpened(data.directory, error)
      }
    },
    limitStatements: () => {
      statementMs = MAX_STATEMENT_MS
    },
    state: kept.state,
    isReadOnly: () => disk?.isReadOnly() === true,
    dump: async () => {
      const release = await line.join()
      try {
        const engine = await kept.current()
        const { rows } = await engine.send({ kind: 'dump' }, undefined)
        return rows[0]?.['bytes'] as Uint8Array
      } finally {
        release()
      }
    },
    close: () => (closing ??= close()),
  }
}

function notOpened(directory: string | undefined, error: unknown): Error {
  const because = error instanceof Error ? error.message : String(error)
  const isFull = isDiskFullMessage(because)
  const advice = isFull ? ' Free space on its disk (a new database needs 200 MB), and start again.' : ''
  return new Error(
    `The embedded storage could not be opened in ${directory ?? 'memory'}: ${because}.${advice}`,
    { cause: error },
  )
}

const readOnlyStatement = (isReadOnly: boolean) =>
  `set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`
