import type { Hono } from 'hono'
import type { Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { acceptedEncoding, type Encoding } from '../../platform/http/accepted-encoding.ts'
import type { BuiltFile } from './kept-versions.ts'
import type { WidgetFiles } from './widget-files.ts'

/** Addresses of the current version, which pages name. */
const CURRENT = {
  '/widget.js': 'widget.js',
  '/widget/form.js': 'form.js',
  '/widget/kapa.js': 'kapa.js',
  '/widget/docsearch.js': 'docsearch.js',
}

const SHORT = 'public, max-age=300, stale-while-revalidate=86400'
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Pages of every origin load these files, also with `integrity` and below a cross-origin policy. */
const FOR_PAGES = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'timing-allow-origin': '*',
}

/** Each encoding is another representation, so each has its own strong ETag. */
const etagOf = ({ sha384 }: BuiltFile, encoding: Encoding) => `"${sha384.slice(7, 34)}-${encoding}"`

/** Whether the client has this file already, in any encoding. */
function isKnown(header: string | undefined, file: BuiltFile): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const known = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return (['br', 'gzip', 'identity'] as const).some((encoding) => known.includes(etagOf(file, encoding)))
}

/** `/widget.js` and its kind, `/widget/<version>/…`, and the manifest with the hashes for `integrity`. */
export function createWidgetFileRoutes(files: WidgetFiles) {
  async function send(
    context: Page,
    name: string,
    version: string | undefined,
    caching: string,
  ): Promise<Response> {
    const found = await files.read(name, version, acceptedEncoding(context.req.header('accept-encoding')))
    if (found === undefined) return await context.notFound()
    const { file, encoding, bytes } = found
    const headers = {
      ...FOR_PAGES,
      'cache-control': caching,
      etag: etagOf(file, encoding),
      vary: 'Accept-Encoding',
    }
    if (isKnown(context.req.header('if-none-match'), file)) return context.body(null, 304, headers)
    return context.body(bytes, 200, {
      ...headers,
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(bytes.byteLength),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    })
  }

  return (app: Hono<HttpEnv>): void => {
    for (const [path, name] of Object.entries(CURRENT)) {
      app.get(path, async (context) => await send(context, name, undefined, SHORT))
    }
    app.get('/widget/manifest.json', async (context) => {
      const { version, files: built } = await files.current()
      const listed = built.map(({ file, bytes, gz, sha384 }) => ({
        file,
        path: `/widget/${version}/${file}`,
        bytes,
        gz,
        sha384,
      }))
      return context.json({ version, files: listed }, 200, { ...FOR_PAGES, 'cache-control': SHORT })
    })
    app.get('/widget/:version/:file', async (context) => {
      const { version, file } = context.req.param()
      return await send(context, file, version, FOR_EVER)
    })
  }
}
