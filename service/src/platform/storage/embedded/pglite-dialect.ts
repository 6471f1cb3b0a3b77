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
}

const connectionOf = (session: Session): SessionConnection => ({
  session,
  executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const { rows, affectedRows } = await session.query(query.sql, query.parameters)
    return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows ?? 0) }
  },
  streamQuery: () => {
    throw new Error('The embedded storage does not stream rows')
  },
})

/** Kysely on the embedded database: PostgreSQL's own dialect over one session that callers use in turn. */
export function createPgliteDialect(client: PgliteClient): Dialect {
  const run = async (connection: DatabaseConnection, text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text))
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connectionOf(await client.acquire()),
      beginTransaction: (connection, settings: TransactionSettings) =>
        run(
          connection,
          settings.isolationLevel ? `begin isolation level ${settings.isolationLevel}` : 'begin',
        ),
      commitTransaction: (connection) => run(connection, 'commit'),
      rollbackTransaction: (connection) => run(connection, 'rollback'),
      releaseConnection: (connection) => {
        ;(connection as SessionConnection).session.release()
        return Promise.resolve()
      },
      destroy: async () => {},
    }),
  }
}
