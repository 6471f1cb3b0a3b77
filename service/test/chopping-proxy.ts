import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface ChoppingProxy extends AsyncDisposable {
  address: string
}

/**
 * Forwards connections, and splits responses into separate writes of 1 to `mostBytes` bytes: characters, lines and events are split
 * everywhere.
 *
 * @param random - 0 to 1
 */
export async function startChoppingProxy(
  target: string,
  random: () => number,
  mostBytes: number,
): Promise<ChoppingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    chop(upstream, client).catch(() => client.destroy())
  })

  async function chop(from: Socket, to: Socket): Promise<void> {
    for await (const chunk of from) {
      const bytes = chunk as Buffer
      for (let start = 0; start < bytes.length;) {
        const end = start + 1 + Math.floor(random() * mostBytes)
        to.write(bytes.subarray(start, end))
        start = end
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    to.end()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
