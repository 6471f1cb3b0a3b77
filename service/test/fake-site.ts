import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** One response of a fake site. */
export interface FakeAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Delay before the first byte, in milliseconds. */
  afterMs?: number
}

/** The content of a path: one response, or a function of the number of earlier requests. */
export type FakePage =
  | FakeAnswer
  | ((asked: number, request: IncomingMessage, response: ServerResponse) => FakeAnswer | undefined)

export interface FakeRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  status: number
}

export interface FakeSite extends AsyncDisposable {
  /** Without a trailing slash, e.g. `http://127.0.0.1:41234`. */
  origin: string
  /** Replaces the content of a path; undefined removes it. */
  set(path: string, page: FakePage | undefined): void
  /** All requests since the start, or since `forget`. */
  requests: FakeRequest[]
  /** Paths whose body was sent (200) since the start, or since `forget`. */
  bodies(): string[]
  forget(): void
  /** The maximum number of concurrent requests. */
  mostAtOnce(): number
}

/** A page of HTML. `links` become a list of links; `head` is inserted into the head unchanged. */
export function htmlPage(
  title: string,
  text: string,
  given: { links?: string[]; head?: string } = {},
): FakeAnswer {
  const links = (given.links ?? []).map((link) => `<li><a href="${link}">${link}</a></li>`).join('')
  const head = `<title>${title}</title>${given.head ?? ''}`
  return {
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html><head>${head}</head><body><main><h1>${title}</h1><p>${text}</p><ul>${links}</ul></main></body></html>`,
  }
}

export const redirectTo = (location: string, status = 301): FakeAnswer => ({ status, headers: { location } })

export const textFile = (body: string, type = 'text/plain'): FakeAnswer => ({
  headers: { 'content-type': type },
  body,
})

/** Responds with `failure` the first `times` times, and with `page` after that. */
export const failsFirst =
  (times: number, failure: FakeAnswer, page: FakeAnswer): FakePage =>
  (asked) =>
    asked < times ? failure : page

/** A sitemap of paths or addresses; `lastmod` by path. */
export function sitemapOf(
  origin: string,
  paths: readonly string[],
  lastmod: Record<string, string> = {},
): FakeAnswer {
  const urls = paths.map((path) => {
    const when = lastmod[path]
    return `<url><loc>${new URL(path, origin).href}</loc>${when === undefined ? '' : `<lastmod>${when}</lastmod>`}</url>`
  })
  return textFile(
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
    'application/xml',
  )
}

/**
 * A small scripted site, by default on 127.0.0.1. Bodies have an ETag (conditional requests get a 304) and are compressed with gzip for
 * clients that accept it, unless the headers of the response say otherwise. Unknown paths are 404.
 */
export async function startFakeSite(
  pages: Record<string, FakePage> = {},
  host = '127.0.0.1',
  atPort = 0,
): Promise<FakeSite> {
  const standing = new Map(Object.entries(pages))
  const asked = new Map<string, number>()
  const requests: FakeRequest[] = []
  let open = 0
  let most = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const before = asked.get(path) ?? 0
    asked.set(path, before + 1)
    const note = (status: number) => {
      requests.push({ method: request.method ?? '', path, headers: request.headers, status })
    }
    const page = standing.get(path)
    const found =
      typeof page === 'function'
        ? page(before, request, response)
        : (page ?? { status: 404, body: 'Not found' })
    if (found === undefined) return note(200)
    if (found.afterMs !== undefined) await new Promise((resolve) => setTimeout(resolve, found.afterMs))
    const status = found.status ?? 200
    const body = Buffer.from(found.body ?? '')
    const headers: Record<string, string> = { ...found.headers }
    if (status === 200 && headers['etag'] === undefined) {
      headers['etag'] = `"${createHash('sha1').update(body).digest('hex').slice(0, 16)}"`
    }
    if (status === 200 && headers['etag'] !== '' && request.headers['if-none-match'] === headers['etag']) {
      note(304)
      response.writeHead(304, headers).end()
      return
    }
    if (headers['etag'] === '') delete headers['etag']
    const isZipped =
      headers['content-encoding'] === undefined && String(request.headers['accept-encoding']).includes('gzip')
    if (isZipped && body.length > 0) headers['content-encoding'] = 'gzip'
    note(status)
    response.writeHead(status, headers).end(isZipped && body.length > 0 ? gzipSync(body) : body)
  }

  const server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(atPort, host, resolve))
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://${host}:${port}`,
    set: (path, page) => {
      if (page === undefined) standing.delete(path)
      else standing.set(path, page)
    },
    requests,
    bodies: () => requests.filter(({ status }) => status === 200).map(({ path }) => path),
    forget: () => {
      requests.length = 0
    },
    mostAtOnce: () => most,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
