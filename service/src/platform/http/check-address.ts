import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Finds out whether a server can listen there, by listening for a moment. What takes long is then not begun in vain. Rejects with the
 * system's error, as a server would.
 */
export async function checkAddress(host: string, port: number): Promise<void> {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
