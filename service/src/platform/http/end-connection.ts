import type { Duplex } from 'node:stream'

/** How long a client has to receive the last bytes and close its side. */
const LINGER_MS = 1_000

/**
 * Sends the last bytes of a connection and closes it. It does not wait long for a client that keeps its side open: otherwise the
 * service could never stop.
 */
export function endConnection(connection: Duplex, lastBytes: string): void {
  const timer = setTimeout(() => connection.destroy(), LINGER_MS)
  timer.unref()
  connection.once('close', () => clearTimeout(timer))
  connection.end(lastBytes)
}
