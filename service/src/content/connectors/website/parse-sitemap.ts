import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { normaliseAddress } from './page-address.ts'

export interface SitemapEntry {
  address: string
  lastmod: Date | undefined
}

/** Entries that are parsed in one go: a file may have 50,000, and others want to be served meanwhile. */
const ENTRIES_AT_ONCE = 500

/** An element with text, whatever else may stand in it. */
const Text = z.string().optional().catch(undefined)
const Entry = z.object({ loc: Text, lastmod: Text }).catch({ loc: undefined, lastmod: undefined })
const List = z.object({
  list: z.object({ url: z.array(Entry).default([]), sitemap: z.array(Entry).default([]) }),
})

// No entities beyond XML's own five: a sitemap has no use for others, and they can be made to grow without end. The
// declarations of a file never come here anyway.
const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: true,
  isArray: (name) => name === 'url' || name === 'sitemap',
})

const gunzipAsync = promisify(gunzip)

const dateOf = (text: string | undefined) => {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time)
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Cuts the entries of a sitemap into pieces of so many; what stands before and after them is left out. */
function* piecesOf(text: string): Generator<string, void, void> {
  const open = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)\b[^>]*>/.exec(text)
  if (open === null) throw new Error('It is no sitemap.')
  let start = open.index + open[0].length
  let entries = 0
  let end = start
  for (const close of text.matchAll(/<\/(?:[\w.-]+:)?(?:url|sitemap)\s*>/g)) {
    end = close.index + close[0].length
    entries += 1
    if (entries % ENTRIES_AT_ONCE !== 0) continue
    yield text.slice(start, end)
    start = end
  }
  yield text.slice(start, end)
}

/**
 * Reads one file, XML or a list of addresses, packed or not: its pages, and the other sitemaps that it names. Throws an
 * `Error` in words when it is none.
 */
export async function parseSitemap(
  bytes: Uint8Array,
  base: string,
  maxBytes: number,
): Promise<{ pages: SitemapEntry[]; sitemaps: string[] }> {
  const plain = isGzip(bytes) ? await gunzipAsync(bytes, { maxOutputLength: maxBytes }) : bytes
  const text = new TextDecoder().decode(plain).trim()
  const addressOf = (loc: string | undefined) => (loc === undefined ? undefined : normaliseAddress(loc, base))
  const pages: SitemapEntry[] = []
  const sitemaps: string[] = []
  if (!text.startsWith('<')) {
    const lines = text.split(/\r?\n/).map((line) => normaliseAddress(line.trim()))
    for (const address of lines) if (address !== undefined) pages.push({ address, lastmod: undefined })
    if (pages.length === 0) throw new Error('It is neither XML nor a list of addresses.')
    return { pages, sitemaps }
  }
  for (const piece of piecesOf(text)) {
    const parsed = List.safeParse(parser.parse(`<list>${piece}<url></url></list>`))
    if (!parsed.success) throw new Error('It is no sitemap.')
    for (const { loc, lastmod } of parsed.data.list.url) {
      const address = addressOf(loc)
      if (address !== undefined) pages.push({ address, lastmod: dateOf(lastmod) })
    }
    for (const { loc } of parsed.data.list.sitemap) {
      const address = addressOf(loc)
      if (address !== undefined) sitemaps.push(address)
    }
    await nextTurn()
  }
  return { pages, sitemaps }
}
