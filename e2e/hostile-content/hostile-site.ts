import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServedFile {
  type: string
  body: string | Buffer
}

export interface HostileSite extends AsyncDisposable {
  origin: string
  /** Sets the served files by path; everything else is 404. */
  serve(files: Record<string, ServedFile>): void
}

export async function startHostileSite(): Promise<HostileSite> {
  let served: Record<string, ServedFile> = {}
  const server = createServer((request, response) => {
    const file = served[new URL(request.url ?? '/', 'http://site.invalid').pathname]
    if (file === undefined) {
      response.writeHead(404).end('Not found.')
      return
    }
    response.writeHead(200, { 'content-type': file.type }).end(file.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    serve: (files) => {
      served = files
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
