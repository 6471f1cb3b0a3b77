import pg from 'pg'
import { asUnavailable } from './storage-unavailable.ts'

/** Connections to the server, for kysely and for the job queue. */
export interface ServerPool {
  options: object
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
}

/** How long a caller waits for a connection: a free one, or a new one to a server that does not answer. */
const CONNECT_MS = 30_000

/** TCP keep-alive detects a server that disappeared without closing its connections. */
const KEEP_ALIVE_MS = 10_000

const convertUnavailable = async <Result>(result: Promise<Result>): Promise<Result> => {
  try {
    return await result
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** Makes a connection distinguish an unavailable server (down, full or overloaded) from an error of a statement. */
function reportUnavailable(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: unknown[]) => {
    const result = query(...given)
    return result instanceof Promise ? convertUnavailable(result) : result
  }) as typeof client.query
}

/** A pool that recovers: ended connections are replaced at the next request. */
export function openServerPool(databaseUrl: string): ServerPool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 20,
    application_name: 'citewell',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  // The pool replaces a connection that dies while idle; without a listener it would crash the process.
  pool.on('error', () => {})
  // A connection that dies while it is held fails its statement; the same error is also emitted as an event, which needs a listener.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    reportUnavailable(client)
  })
  return { options: pool.options, connect: () => convertUnavailable(pool.connect()), end: () => pool.end() }
}
