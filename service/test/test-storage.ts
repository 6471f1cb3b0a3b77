import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { embeddedStorage, openPostgresStorage, type Storage } from '../src/platform/storage/storage.ts'
import { borrowEngine } from './kept-engines.ts'
import { databaseUrlOf, onServer } from './test-server.ts'

export interface TestStorage extends Storage {
  [Symbol.asyncDispose](): Promise<void>
  /** Address of the same database for other processes; undefined for the embedded one. */
  databaseUrl: string | undefined
}

/** The file of an empty database with the schema, for an engine of a test's own: making one from nothing takes seconds. Undefined on a server. */
export function embeddedTemplate(): string | undefined {
  const start = inject('storageTemplate')
  return start.kind === 'embedded' ? start.file : undefined
}

/**
 * A separate empty database with the schema, dropped when it is closed. Embedded in memory by default; with
 * `DATABASE_URL`, on that server.
 *
 * @example
 * await using storage = await openTestStorage()
 */
export async function openTestStorage(): Promise<TestStorage> {
  const start = inject('storageTemplate')
  if (start.kind === 'embedded') {
    const storage = embeddedStorage(await borrowEngine(start.file), 'bm25')
    return { ...storage, databaseUrl: undefined, [Symbol.asyncDispose]: storage.close }
  }
  const database = `citewell_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(start.serverUrl, `create database ${database} template ${start.database}`)
  const databaseUrl = databaseUrlOf(start.serverUrl, database)
  const storage = await openPostgresStorage(databaseUrl)
  const close = async () => {
    await storage.close()
    await onServer(start.serverUrl, `drop database if exists ${database} with (force)`)
  }
  return { ...storage, databaseUrl, close, [Symbol.asyncDispose]: close }
}
