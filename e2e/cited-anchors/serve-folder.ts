import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

export interface ServedFolder extends AsyncDisposable {
  origin: string
}

/** Serves a folder of built documentation on a free port of 127.0.0.1, as a static host does. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const root = await realpath(folder)
  const fileAt = async (path: string) => {
    const file = join(root, path)
    if (file !== root && !file.startsWith(root + sep)) return undefined
    const found = await stat(file).catch(() => undefined)
    return found?.isDirectory() === true ? join(file, 'index.html') : found && file
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    void fileAt(path).then((file) => {
      if (file === undefined)
        return response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
      response.writeHead(200, { 'content-type': MEDIA_TYPES[extname(file)] ?? 'application/octet-stream' })
      return createReadStream(file)
        .on('error', () => response.destroy())
        .pipe(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
