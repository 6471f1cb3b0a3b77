import type { Page } from '../../platform/http/form-pages.ts'
import type { StoredFiles } from '../../platform/files/stored-files.ts'

export type OriginalFiles = Pick<StoredFiles, 'stream'>

export interface Original {
  name: string
  media_type: string
  byte_length: number
  sha256: string
}

/** Types that contain nothing active, even if a browser displays them. All others are sent as bytes. */
const SAFE_TYPES = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
])

/** The base name of the file, as in RFC 6266: in ASCII for old clients, unchanged for all others. */
function dispositionOf(name: string): string {
  const own = name.split('/').at(-1) ?? name
  const ascii = own.replaceAll(/[^\w. -]/g, '_')
  const whole = encodeURIComponent(own.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}

/** Sends the uploaded file as a download, never for display. Undefined if its bytes are missing. */
export async function sendOriginal(
  context: Page,
  files: OriginalFiles,
  original: Original,
): Promise<Response | undefined> {
  const headers = {
    'content-type': SAFE_TYPES.has(original.media_type) ? original.media_type : 'application/octet-stream',
    'content-length': String(original.byte_length),
    'content-disposition': dispositionOf(original.name),
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  if (context.req.method === 'HEAD') return context.body(null, 200, headers)
  const bytes = await files.stream(original.sha256).catch(() => undefined)
  return bytes === undefined ? undefined : context.body(bytes, 200, headers)
}
