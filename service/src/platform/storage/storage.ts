import { Kysely, PostgresDialect, sql } from 'kysely'
import type { QueryResult } from 'pg'
import type { EngineState } from './embedded/keep-engine-open.ts'
import { startPglite, type PgliteClient } from './embedded/pglite-client.ts'
import { createPgliteDialect } from './embedded/pglite-dialect.ts'
import { migrate, type Lexical } from './migrations/migrations.ts'
import { StorageUnavailable } from './storage-unavailable.ts'
import { openServerPool, type ServerPool } from './server-pool.ts'
import type { Tables, WholeDb } from './tables.ts'

export interface Storage {
  engine: 'embedded' | 'postgres'
  /** `full-text` if the BM25 extension is missing: search works with a worse ranking. */
  lexical: Lexical
  db: WholeDb
  /** One or several statements for the job queue, which has its own SQL. */
  execute(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  /** The last known state, without a query. A server counts as open as far as this process knows. */
  state(): StorageState
  /** The whole embedded database, from which another can start; undefined on a server. */
  dump: (() => Promise<Uint8Array>) | undefined
  close(): Promise<void>
}

/** `read-only`: the disk is full. */
export type StorageState = EngineState | { is: 'read-only' }

export interface EmbeddedSettings {
  /** Folder of the database; undefined for one in memory. */
  directory: string | undefined
  isDurable: boolean
  /** Called with events such as an end of the engine or a full disk. */
  report?: (fault: unknown, what: string) => void
}

/** Opens the embedded database and brings its schema up to date. The directory must be locked by the caller. */
export async function openEmbeddedStorage(settings: EmbeddedSettings): Promise<Storage> {
  const { directory, isDurable, report } = settings
  const client = startPglite({ directory, template: undefined, isDurable }, report)
  try {
    // The engine's own message on why it does not open is only for the operator who starts it.
    await client.opened()
    return await prepareEmbedded(client)
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Brings the schema of an embedded database that is open up to date. */
export async function prepareEmbedded(client: PgliteClient): Promise<Storage> {
  const lexical = await prepare(embeddedDatabase(client))
  client.limitStatements()
  return embeddedStorage(client, lexical)
}

/** The storage of an embedded database that is open and has the schema. */
export function embeddedStorage(client: PgliteClient, lexical: Lexical): Storage {
  return {
    engine: 'embedded',
    lexical,
    db: embeddedDatabase(client),
    execute: (text, values) => executeOn(client, text, values),
    state: () => {
      const state = client.state()
      return state.is === 'open' && client.isReadOnly() ? { is: 'read-only' } : state
    },
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
  const pool = openServerPool(databaseUrl)
  const db = databaseOn(pool)
  try {
    const lexical = await prepare(db)
    return {
      engine: 'postgres',
      lexical,
      db,
      execute: async (text, values) => {
        const client = await pool.connect()
        try {
          const result: QueryResult | QueryResult[] = await client.query(text, values)
          const last = Array.isArray(result) ? result.at(-1) : result
          return { rows: last?.rows ?? [] }
        } finally {
          client.release()
        }
      },
      state: () => ({ is: 'open' }),
      dump: undefined,
      close: () => db.destroy(),
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

const embeddedDatabase = (client: PgliteClient): WholeDb =>
  new Kysely<Tables>({ dialect: createPgliteDialect(client) })

const databaseOn = (pool: ServerPool): WholeDb =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

/** Extensions, then the schema. */
async function prepare(db: WholeDb): Promise<Lexical> {
  // Two processes that start at the same time would both try to create the extension, and one would fail.
  return await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(7233490)`.execute(connection)
    try {
      if (!(await createExtension(connection, 'vector')))
        throw new Error(
          'The database has no pgvector extension, which Citewell needs. Install it on the server (package postgresql-NN-pgvector), or use the compose.yaml that comes with Citewell.',
        )
      const lexical = (await createExtension(connection, 'pg_textsearch')) ? 'bm25' : 'full-text'
      await migrate(connection as Kysely<unknown>, lexical)
      return lexical
    } finally {
      await sql`select pg_advisory_unlock(7233490)`.execute(connection)
    }
  })
}

async function createExtension(db: WholeDb, name: 'vector' | 'pg_textsearch'): Promise<boolean> {
  try {
    await sql`create extension if not exists ${sql.ref(name)}`.execute(db)
    return true
  } catch (error) {
    // This error says nothing about the extension.
    if (error instanceof StorageUnavailable) throw error
    return false
  }
}
