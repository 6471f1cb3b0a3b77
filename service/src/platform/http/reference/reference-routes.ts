import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Endpoint } from '@citewell/contract/endpoint'
import type { Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import type { HttpEnv } from '../http-app.ts'
import { createOpenApiDocument, type OpenApiDocument } from '../openapi/openapi-document.ts'
import { referencePage } from './reference-page.ts'

/** No third-party content, no inline code, no framing. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
}

const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
}

const readAsset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

export interface ReferenceGiven {
  /** The endpoints that are served, in the order of the reference. */
  endpoints: readonly Endpoint[]
  /** Without a trailing slash. Called per page, because the port may only be known after the server started. */
  publicUrl: () => string
  version: string
}

/** `GET /openapi.json`, and `GET /docs` for people. Both are generated once, at the first request. */
export function createReferenceRoutes({ endpoints, publicUrl, version }: ReferenceGiven) {
  let made: { address: string; document: OpenApiDocument; json: string; page: Promise<string> } | undefined

  const style = readAsset('./reference.css')
  const script = readAsset('./reference-script.js')
  const assetVersion = createHash('sha256').update(style).update(script).digest('hex').slice(0, 12)

  function current() {
    const address = publicUrl()
    if (made?.address === address) return made
    const document = createOpenApiDocument({ endpoints, publicUrl: address, version })
    const page = Promise.resolve(referencePage(document, assetVersion)).then(String)
    made = { address, document, json: JSON.stringify(document, null, 2), page }
    return made
  }

  const asset = (context: Context<HttpEnv>, text: string, type: string) =>
    context.body(text, 200, { ...ASSET_HEADERS, 'content-type': type })

  return (app: Hono<HttpEnv>): void => {
    for (const path of ['/openapi.json', '/docs', '/docs/*']) app.use(path, compress())
    app.get('/openapi.json', (context) =>
      // Readable from every origin: it contains nothing that is not in the code.
      context.body(current().json, 200, {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      }),
    )
    app.get('/docs', async (context) => context.html(await current().page, 200, PAGE_HEADERS))
    app.get('/docs/reference.css', (context) => asset(context, style, 'text/css; charset=utf-8'))
    app.get('/docs/reference.js', (context) => asset(context, script, 'text/javascript; charset=utf-8'))
  }
}
