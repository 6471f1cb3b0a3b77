import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { inject } from 'vitest'
import { startPglite } from '../src/platform/storage/embedded/pglite-client.ts'
import { createPgliteDialect } from '../src/platform/storage/embedded/pglite-dialect.ts'
import { migrations, type Lexical } from '../src/platform/storage/migrations/migrations.ts'
import { openPostgresStorage, prepareEmbedded } from '../src/platform/storage/storage.ts'
import { embeddedTemplate, type TestStorage } from './test-storage.ts'
import { databaseUrlOf, onServer } from './test-server.ts'

/** The tables are those of an older version, so the types in `Tables` do not apply yet. */
export type StorageOfBefore = Kysely<unknown>

async function migrateUpTo(db: StorageOfBefore, last: string): Promise<void> {
  await sql`create extension if not exists vector`.execute(db)
  const lexical: Lexical = await sql`create extension if not exists pg_textsearch`.execute(db).then(
    () => 'bm25' as const,
    () => 'full-text' as const,
  )
  const provider = { getMigrations: () => Promise.resolve(migrations(lexical)) }
  const { error } = await new Migrator({ db, provider }).migrateTo(last)
  if (error !== undefined) throw error
}

/** Empties the database that all tests start from: making one from nothing takes longer than everything else here. */
async function dropSchemas(db: StorageOfBefore): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(nspname) as name from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'`.execute(db)
  await sql.raw(`drop schema ${rows.map(({ name }) => name).join(', ')} cascade`).execute(db)
  await sql`create schema public`.execute(db)
}

/**
 * Creates the database of an older version, fills it, and opens it with this version, like an upgrade.
 *
 * @param last the last migration of the older version
 */
export async function openStorageOfBefore(
  last: string,
  fill: (db: StorageOfBefore) => Promise<void>,
): Promise<TestStorage> {
  const template = inject('storageTemplate')
  if (template.kind === 'embedded') {
    const client = startPglite({ directory: undefined, isDurable: false, template: embeddedTemplate() })
    const before: StorageOfBefore = new Kysely({ dialect: createPgliteDialect(client) })
    await dropSchemas(before)
    await migrateUpTo(before, last)
    await fill(before)
    const storage = await prepareEmbedded(client)
    return { ...storage, databaseUrl: undefined, [Symbol.asyncDispose]: storage.close }
  }
  const database = `citewell_before_${process.pid}_${randomBytes(6).toString('hex')}`
  const databaseUrl = databaseUrlOf(template.serverUrl, database)
  await onServer(template.serverUrl, `create database ${database}`)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const before: StorageOfBefore = new Kysely({ dialect: new PostgresDialect({ pool }) })
  await migrateUpTo(before, last)
  await fill(before)
  await before.destroy()
  const storage = await openPostgresStorage(databaseUrl)
  const close = async () => {
    await storage.close()
    await onServer(template.serverUrl, `drop database if exists ${database} with (force)`)
  }
  return { ...storage, databaseUrl, close, [Symbol.asyncDispose]: close }
}
