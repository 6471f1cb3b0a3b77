import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { openEmbeddedStorage, openPostgresStorage, type Storage } from '../src/platform/storage/storage.ts'
import { databaseUrlOf, onServer } from './test-server.ts'

export interface TestStorage extends Storage {
  [Symbol.asyncDispose](): Promise<void>
  /** Address of the same database for other processes; undefined for the embedded one. */
  databaseUrl: string | undefined
}

/**
 * A separate empty database with the schema, dropped when it is closed. Embedded in memory by default; with
 * `DATABASE_URL`, on that server.
 *
 * @example
 * await using storage = await openTestStorage()
 */
export async function openTestStorage(): Promise<TestStorage> {
  const template = inject('storageTemplate')
  if (template.kind === 'embedded') {
    const storage = await openEmbeddedStorage({
      directory: undefined,
      template: await readFile(template.file),
      isDurable: false,
    })
    return { ...storage, databaseUrl: undefined, [Symbol.asyncDispose]: storage.close }
  }
  const database = `citewell_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(template.serverUrl, `create database ${database} template ${template.database}`)
  const databaseUrl = databaseUrlOf(template.serverUrl, database)
  const storage = await openPostgresStorage(databaseUrl)
  const close = async () => {
    await storage.close()
    await onServer(template.serverUrl, `drop database if exists ${database} with (force)`)
  }
  return { ...storage, databaseUrl, close, [Symbol.asyncDispose]: close }
}
