import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildWidget } from '../../widget/build.ts'

const DEMO = resolve(import.meta.dirname, '../../widget/demo')

/** A page that the server gives out; a text is the body of an HTML page. */
export type Page = string | ((request: IncomingMessage, response: ServerResponse) => void)

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  json: 'application/json',
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Builds the widget and serves its files as the service does: the loader by its name, all else below its version. */
export async function serveWidget() {
  const outDir = mkdtempSync(join(tmpdir(), 'citewell-widget-'))
  const built = await buildWidget({ outDir })
  const server = await listen((request, response) => {
    const file = request.url?.split('?')[0]?.split('/').at(-1) ?? ''
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    response.setHeader('content-type', TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain')
    readFile(join(outDir, file)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  return { ...server, ...built, outDir }
}

/** Serves pages at another origin than everything else. A page of the demo is found by its name. */
export async function servePages(pages: Record<string, Page>) {
  return await listen((request, response) => {
    const path = request.url?.split('?')[0] ?? '/'
    const page = pages[path]
    if (typeof page === 'function') {
      page(request, response)
      return
    }
    response.setHeader('content-type', TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html')
    if (page !== undefined) response.end(page)
    else
      readFile(join(DEMO, path.slice(1))).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      )
  })
}

/** The documentation page of the demo with a script tag in it, or with other markup at its end. */
export async function pageWith(markup: string): Promise<string> {
  const page = await readFile(join(DEMO, 'documentation-page.html'), 'utf8')
  return page.replace('<!-- citewell -->', markup)
}

/** The tag of the widget. */
export function tagOf(widget: { origin: string }, attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => `data-${name}="${value.replaceAll('"', '&quot;')}"`,
  )
  return `<script src="${widget.origin}/widget.js" async ${written.join(' ')}></script>`
}
