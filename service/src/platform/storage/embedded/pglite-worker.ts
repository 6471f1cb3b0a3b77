/** The storage worker: the embedded PostgreSQL runs here, so that no statement blocks the service's main thread. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch'
import { vector } from '@electric-sql/pglite-pgvector'
import { bufferMegabytes } from './buffer-size.ts'
import { bytesOfText, textOfBytes } from './bytea-text.ts'
import { watchForEnd } from './engine-end.ts'
import type { StorageFault, StorageReply, StorageRequest, StorageWorkerData } from './pglite-messages.ts'
import { CHANGES_SCHEMA, createStatementRunner } from './run-statement.ts'

const port = parentPort
if (port === null) throw new Error('pglite-worker.ts runs in a worker thread only')

const { directory, template, isDurable } = workerData as StorageWorkerData

// PGlite starts PostgreSQL with -F, which is fsync off. Without it the order of writes is PostgreSQL's own; the disk itself is
// still not waited for (PGlite's fdatasync does nothing): a kill loses nothing, a power failure may lose the last seconds.
const engineParams = isDurable
  ? PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
  : PGlite.defaultStartParams

/** After a checkpoint this much of the log is kept for reuse, and no more: a full disk then still accepts small changes. */
const LOG_SIZE = ['-c', 'min_wal_size=48MB', '-c', 'max_wal_size=64MB']

/** Why PostgreSQL ended, from its own log. Only this line is used: others may repeat parameters of a statement. */
let lastMessage: string | undefined

/** Emscripten's file system throws objects that are no Errors and have no message: this is its errno for ENOSPC. */
const NO_SPACE = 51

function messageOf(why: unknown): string {
  if (typeof why === 'object' && why !== null && 'errno' in why)
    return why.errno === NO_SPACE
      ? 'No space left on device'
      : `A file could not be written (${String(why.errno)})`
  return why instanceof Error ? why.message : String(why)
}

function end(why: unknown): never {
  port?.postMessage({ ended: lastMessage ?? messageOf(why) } satisfies StorageReply)
  // Ends only this thread. A call into the engine would never return.
  process.exit(1)
}

/** A template is for an empty folder alone: an engine that is opened again has its database. */
const isNew = directory === undefined || !existsSync(join(directory, 'PG_VERSION'))

/** PGlite asks a Blob for its bytes, and for nothing else. A real one copies them three times more. */
function dumpIn(file: string): Blob {
  // The whole of it is the file: Node shares an ArrayBuffer only between files of some kilobytes.
  const { buffer } = readFileSync(file)
  return {
    type: 'application/x-tar',
    arrayBuffer: () => Promise.resolve(buffer),
  } satisfies Partial<Blob> as Blob
}

const opening = PGlite.create({
  ...(directory !== undefined && { dataDir: directory }),
  ...(template !== undefined && isNew && { loadDataDir: dumpIn(template) }),
  startParams: [...engineParams, ...LOG_SIZE, '-c', `shared_buffers=${bufferMegabytes(directory)}MB`],
  onStderr: (line: string) => {
    lastMessage = /\b(?:PANIC|FATAL):.*/.exec(line)?.[0] ?? lastMessage
    return false
  },
  extensions: { vector, pg_textsearch, watch: watchForEnd(end) },
  // PGlite's own parser reads digit by digit: 10 ms for the sentence vectors of one search.
  parsers: { [types.BYTEA]: bytesOfText },
  serializers: { [types.BYTEA]: textOfBytes },
})

const faultOf = (error: unknown): StorageFault => {
  const known = error as Partial<Record<'message' | 'code' | 'constraint' | 'detail', string>>
  return {
    message: known.message ?? String(error),
    code: known.code,
    constraint: known.constraint,
    detail: known.detail,
  }
}

const preparing = opening.then((database) => ({ database, statements: createStatementRunner(database) }))
// The failure of the opening ends the thread, below.
preparing.catch(() => undefined)

async function answer(request: StorageRequest): Promise<StorageReply> {
  const { database, statements } = await preparing
  switch (request.kind) {
    case 'query':
      return { id: request.id, ...(await statements.run(request.text, request.values, request.begin)) }
    case 'exec': {
      if (CHANGES_SCHEMA.test(request.text)) statements.forget()
      const results = await database.exec(request.text)
      const last = results.at(-1)
      return { id: request.id, rows: last?.rows ?? [], affectedRows: last?.affectedRows }
    }
    case 'dump': {
      const dumped = await database.dumpDataDir('none')
      return {
        id: request.id,
        rows: [{ bytes: new Uint8Array(await dumped.arrayBuffer()) }],
        affectedRows: 0,
      }
    }
    case 'close': {
      await database.close()
      return { id: request.id, rows: [], affectedRows: 0 }
    }
  }
}

opening.then(() => port.postMessage({ isOpen: true } satisfies StorageReply), end)

// One at a time, in order of arrival: the main thread's session queue relies on it.
let previous: Promise<void> = Promise.resolve()
port.on('message', (request: StorageRequest) => {
  previous = previous.then(async () => {
    const reply = await answer(request).catch((error: unknown) => ({ id: request.id, fault: faultOf(error) }))
    port.postMessage(reply)
    if (request.kind === 'close') port.close()
  })
})
