import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { startPglite, type PgliteClient } from './embedded/pglite-client.ts'
import { createPgliteDialect } from './embedded/pglite-dialect.ts'
import { migrate, type Lexical } from './migrations/migrations.ts'
import type { Tables } from './tables.ts'

export interface Storage {
  engine: 'embedded' | 'postgres'
  /** `full-text` where the BM25 extension is missing: search works, and ranks worse. */
  lexical: Lexical
  db: Kysely<Tables>
  /** One or several statements for the job queue, which brings its own SQL. */
  execute(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  /** The whole embedded database, to start another from; undefined on a server. */
  dump: (() => Promise<Uint8Array>) | undefined
  close(): Promise<void>
}

export interface EmbeddedSettings {
  /** Folder of the database; undefined for one in memory. */
  directory: string | undefined
  template?: Uint8Array
  isDurable: boolean
}

/** Opens the embedded database and brings its schema up to date. The directory must be locked by the caller. */
export async function openEmbeddedStorage(settings: EmbeddedSettings): Promise<Storage> {
  const client = startPglite({
    directory: settings.directory,
    template: settings.template,
    isDurable: settings.isDurable,
  })
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(client) })
  const lexical = await prepare(db)
  return {
    engine: 'embedded',
    lexical,
    db,
    execute: (text, values) => executeOn(client, text, values),
    dump: () => client.dump(),
    close: () => client.close(),
  }
}

async function executeOn(client: PgliteClient, text: string, values: unknown[] | undefined) {
  const session = await client.acquire()
  try {
    return values === undefined || values.length === 0
      ? await session.exec(text)
      : await session.query(text, values)
  } finally {
    session.release()
  }
}

/** Connects to a PostgreSQL server (17 or newer, with pgvector) and brings its schema up to date. */
export async function openPostgresStorage(databaseUrl: string): Promise<Storage> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20, application_name: 'citewell' })
  // A connection that dies while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const lexical = await prepare(db)
    return {
      engine: 'postgres',
      lexical,
      db,
      execute: async (text, values) => {
        const result: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values)
        const last = Array.isArray(result) ? result.at(-1) : result
        return { rows: last?.rows ?? [] }
      },
      dump: undefined,
      close: () => db.destroy(),
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Extensions, then the schema. */
async function prepare(db: Kysely<Tables>): Promise<Lexical> {
  // Two processes that start at once would both try to create the extension, and one would fail.
  return await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(7233490)`.execute(connection)
    try {
      if (!(await createExtension(connection, 'vector'))) {
        throw new Error(
          'The database has no pgvector extension, which Citewell needs. Install it on the server (package postgresql-NN-pgvector), or use the compose.yaml that comes with Citewell.',
        )
      }
      const lexical = (await createExtension(connection, 'pg_textsearch')) ? 'bm25' : 'full-text'
      await migrate(connection as Kysely<unknown>, lexical)
      return lexical
    } finally {
      await sql`select pg_advisory_unlock(7233490)`.execute(connection)
    }
  })
}

async function createExtension(db: Kysely<Tables>, name: 'vector' | 'pg_textsearch'): Promise<boolean> {
  try {
    await sql`create extension if not exists ${sql.ref(name)}`.execute(db)
    return true
  } catch {
    return false
  }
}
