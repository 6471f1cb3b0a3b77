import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A proxy for a tool that cannot send headers of its own: forwards every request unchanged, with a Bearer token added.
 *
 * @param target address of the MCP server
 */
export async function startKeyAddingProxy(target: string, key: string) {
  const { hostname, port, pathname } = new URL(target)
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` }
    const onward = request({ hostname, port, path: pathname, method: asked.method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.rawHeaders)
      given.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
