import type { Duplex } from 'node:stream'

/** How long a client has to take the last bytes and to close its side. */
const LINGER_MS = 1_000

/**
 * Sends the last bytes of a connection and closes it. A client that keeps its own side open is not waited for: the service could
 * never stop.
 */
export function endConnection(connection: Duplex, lastBytes: string): void {
  const timer = setTimeout(() => connection.destroy(), LINGER_MS)
  timer.unref()
  connection.once('close', () => clearTimeout(timer))
  connection.end(lastBytes)
}
