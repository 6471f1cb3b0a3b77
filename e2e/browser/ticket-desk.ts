import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site with a support form, on an origin of its own. It counts the tickets that arrive. */
export interface TicketDesk extends AsyncDisposable {
  origin: string
  /** What is served at `/`. */
  page: string
  /** What has arrived, oldest first. */
  tickets: URLSearchParams[]
}

/**
 * @param answersFrom the origin of Citewell, the only one that the pages may load from: without inline scripts, styles of other kinds than
 *   constructed ones, or markup made of texts
 */
export async function openTicketDesk(answersFrom: string): Promise<TicketDesk> {
  const tickets: URLSearchParams[] = []
  const policy = [
    "default-src 'none'",
    `script-src ${answersFrom} 'self'`,
    `connect-src ${answersFrom} 'self'`,
    'img-src data:',
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const scripts = new Map<string, string>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://desk')
    const send = (type: string, body: string) =>
      response
        .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
        .end(body)
    if (request.method !== 'POST') {
      const script = scripts.get(url.pathname)
      if (script !== undefined) return send('text/javascript', script)
      return send(
        'text/html',
        desk.page.replaceAll(/<script>([^]*?)<\/script>/g, (_, code: string) => external(code)),
      )
    }
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      tickets.push(new URLSearchParams(body))
      send('text/html', '<!doctype html><title>Thanks</title><h1>Thanks</h1>')
    })
    return undefined
  })
  /** The policy of the page forbids scripts within it. */
  function external(code: string): string {
    const path = `/page-${scripts.size}.js`
    scripts.set(path, code)
    return `<script src="${path}"></script>`
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const desk: TicketDesk = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    page: '',
    tickets,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
  return desk
}
