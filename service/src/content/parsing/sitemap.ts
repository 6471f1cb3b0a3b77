import { gunzipSync } from 'node:zlib'
import { decodeText } from './charset.ts'
import { ParseFailure } from './parse-failure.ts'
import type { ParseInput } from './parsing-blocks.ts'
import { MAX_LOC_CHARACTERS, readSitemapXml, type ReadSitemap, type SitemapEntry } from './sitemap-xml.ts'

/** The protocol's own limit, uncompressed. */
const MAX_BYTES = 52_428_800

/** A higher compression ratio indicates a decompression bomb; small files are exempt. */
const MAX_RATIO = 100
const RATIO_COUNTS_FROM_BYTES = 1_048_576

/**
 * Reads one file, XML or a list of addresses, compressed or not, up to `maxEntries`. In one pass, in linear time.
 * @throws ParseFailure if it is not a sitemap
 */
export function parseSitemap(input: ParseInput, maxEntries: number): ReadSitemap {
  const bytes = isGzip(input.bytes) ? unpack(input.bytes) : input.bytes
  const text = decodeText(bytes, { charset: input.charset, mayDeclare: true })
  const start = text.search(/\S/)
  if (text[start] === '<') return readSitemapXml(text, maxEntries)
  const { pages, tooLong } = readList(text, maxEntries)
  if (pages.length === 0) throw new ParseFailure('It is neither XML nor a list of addresses.')
  return { pages, sitemaps: [], tooLong }
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b

function unpack(bytes: Uint8Array): Uint8Array {
  const most = Math.min(MAX_BYTES, Math.max(RATIO_COUNTS_FROM_BYTES, bytes.byteLength * MAX_RATIO))
  try {
    return gunzipSync(bytes, { maxOutputLength: most })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new ParseFailure(
      isTooLarge
        ? `It unpacks to more than ${Math.round(most / 1e6)} MB, the limit for sitemaps.`
        : 'It is broken: it cannot be decompressed.',
      { cause: error },
    )
  }
}

/** One address per line. */
function readList(text: string, maxEntries: number): Omit<ReadSitemap, 'sitemaps'> {
  const pages: SitemapEntry[] = []
  let tooLong = 0
  for (let at = 0; at < text.length && pages.length < maxEntries;) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const isTooLong = end - at > MAX_LOC_CHARACTERS
    if (isTooLong && /^https?:/i.test(text.slice(at, at + 10))) tooLong += 1
    const loc = isTooLong ? '' : text.slice(at, end).trim()
    if (/^https?:\/\//i.test(loc)) pages.push({ loc, lastmod: undefined })
    at = end + 1
  }
  return { pages, tooLong }
}
