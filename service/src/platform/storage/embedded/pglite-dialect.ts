import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { PgliteClient, Session } from './pglite-client.ts'

interface SessionConnection extends DatabaseConnection {
  session: Session
  /** Starts the transaction, together with its first statement: each call into the engine's thread takes its time. */
  begin: string | undefined
}

function connectionOf(session: Session): SessionConnection {
  const connection: SessionConnection = {
    session,
    begin: undefined,
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const { begin } = connection
      connection.begin = undefined
      const { rows, affectedRows } = await session.query(query.sql, query.parameters, begin)
      return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows ?? 0) }
    },
    streamQuery: () => {
      throw new Error('The embedded storage does not stream rows')
    },
  }
  return connection
}

/** Kysely on the embedded database: PostgreSQL's own dialect over one session that callers use in turn. */
export function createPgliteDialect(client: PgliteClient): Dialect {
  const end = async (connection: DatabaseConnection, text: string) => {
    const ended = connection as SessionConnection
    // Without a statement it never began.
    if (ended.begin === undefined) await ended.executeQuery(CompiledQuery.raw(text))
    ended.begin = undefined
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connectionOf(await client.acquire()),
      beginTransaction: (connection, { isolationLevel }: TransactionSettings) => {
        ;(connection as SessionConnection).begin =
          isolationLevel === undefined ? 'begin' : `begin isolation level ${isolationLevel}`
        return Promise.resolve()
      },
      commitTransaction: (connection) => end(connection, 'commit'),
      rollbackTransaction: (connection) => end(connection, 'rollback'),
      releaseConnection: (connection) => {
        ;(connection as SessionConnection).session.release()
        return Promise.resolve()
      },
      destroy: async () => {},
    }),
  }
}
