import pg from 'pg'
import { asUnavailable } from './storage-unavailable.ts'

/** Connections to the server, for kysely and for the job queue. */
export interface ServerPool {
  options: object
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
}

/** How long a caller waits for a connection: one that is free, or a new one of a server that does not answer. */
const CONNECT_MS = 30_000

/** A server that is gone without a word is noticed by its silence. */
const KEEP_ALIVE_MS = 10_000

const tellUnavailable = async <Result>(result: Promise<Result>): Promise<Result> => {
  try {
    return await result
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** Makes a connection tell that the server is down, full or overrun apart from what a statement did wrong. */
function tellOf(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: unknown[]) => {
    const result = query(...given)
    return result instanceof Promise ? tellUnavailable(result) : result
  }) as typeof client.query
}

/** A pool that comes back by itself: what ended is replaced at the next request. */
export function openServerPool(databaseUrl: string): ServerPool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 20,
    application_name: 'citewell',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  // A connection that dies while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // One that dies while it is held fails its statement; the same error comes as an event, which nobody else hears.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    tellOf(client)
  })
  return {
    options: pool.options,
    connect: () => tellUnavailable(pool.connect()),
    end: () => pool.end(),
  }
}
