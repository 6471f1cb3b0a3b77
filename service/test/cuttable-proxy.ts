import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** A proxy between a client and a server whose connections can be cut, like a cable. */
export interface CuttableProxy extends AsyncDisposable {
  port: number
  /** Ends every connection, and refuses new ones. */
  cut(): Promise<void>
  mend(): Promise<void>
}

export async function startCuttableProxy(to: { host: string; port: number }): Promise<CuttableProxy> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const cut = async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve)
    })
    for (const socket of open) socket.destroy()
    await closed
  }
  return { port, cut, mend: () => listen(port), [Symbol.asyncDispose]: cut }
}
