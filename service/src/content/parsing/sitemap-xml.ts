import { decodeXmlEntities } from '../../kernel/xml-entities.ts'
import { ParseFailure } from './parse-failure.ts'

/** An address as written, and when it last changed, in milliseconds since 1970. */
export interface SitemapEntry {
  loc: string
  lastmod: number | undefined
}

export interface ReadSitemap {
  pages: SitemapEntry[]
  /** Addresses of further sitemaps, as written. */
  sitemaps: string[]
  /** Addresses that are too long: they are left out. */
  tooLong: number
}

/** Longer addresses are left out, and counted. */
export const MAX_LOC_CHARACTERS = 2_048

/** More than any crawl reads. */
const MAX_SITEMAPS = 5_000

/** Maximum length of an element name. */
const MAX_NAME_CHARACTERS = 100

/** The root element has to be within this many characters; comments may precede it. */
const ROOT_WITHIN = 65_536

/** Reads `<urlset>` and `<sitemapindex>` in one pass over the text; everything else in it is skipped. */
export function readSitemapXml(text: string, maxEntries: number): ReadSitemap {
  const read: ReadSitemap = { pages: [], sitemaps: [], tooLong: 0 }
  let hasRoot = false
  /** The open entry: the depth within it, and the fields collected so far. */
  let entry: { name: string; depth: number; loc: string; lastmod: string } | undefined
  let field: 'loc' | 'lastmod' | undefined

  const take = (written: string) => {
    if (entry === undefined || field === undefined || entry[field].length > MAX_LOC_CHARACTERS) return
    entry[field] += written.slice(0, MAX_LOC_CHARACTERS + 1)
  }
  const settle = () => {
    if (entry === undefined) return
    const loc = decodeXmlEntities(entry.loc).trim()
    const isOne = loc !== '' && loc.length <= MAX_LOC_CHARACTERS
    if (loc.length > MAX_LOC_CHARACTERS) read.tooLong += 1
    if (isOne && entry.name === 'url') read.pages.push({ loc, lastmod: timeOf(entry.lastmod) })
    if (isOne && entry.name === 'sitemap' && read.sitemaps.length < MAX_SITEMAPS) read.sitemaps.push(loc)
    entry = undefined
    field = undefined
  }

  for (const { written, tag } of markupOf(text)) {
    take(written)
    if (tag === undefined) continue
    if (!hasRoot) {
      hasRoot = tag.name === 'urlset' || tag.name === 'sitemapindex'
      if (!hasRoot || tag.at > ROOT_WITHIN) throw new ParseFailure('It is not a sitemap.')
    } else if (tag.name === 'url' || tag.name === 'sitemap') {
      settle()
      if (tag.kind === 'open') entry = { name: tag.name, depth: 0, loc: '', lastmod: '' }
    } else if (entry !== undefined && tag.kind === 'open') {
      entry.depth += 1
      if (entry.depth === 1) field = tag.name === 'loc' || tag.name === 'lastmod' ? tag.name : undefined
    } else if (entry !== undefined && tag.kind === 'close') {
      entry.depth = Math.max(0, entry.depth - 1)
      if (entry.depth === 0) field = undefined
    }
    if (read.pages.length >= maxEntries) break
  }
  settle()
  if (!hasRoot) throw new ParseFailure('It is not a sitemap.')
  return { ...read, pages: read.pages.slice(0, maxEntries) }
}

interface Tag {
  kind: 'open' | 'close' | 'empty'
  /** Without its namespace prefix. */
  name: string
  at: number
}

interface Markup {
  /** The text before the tag, and the contents of a CDATA section. */
  written: string
  tag: Tag | undefined
}

/** Tags and CDATA sections in order. Each search continues where the last one ended, and one that finds nothing is not repeated. */
function* markupOf(text: string): Generator<Markup, void, void> {
  let at = 0
  for (;;) {
    const open = text.indexOf('<', at)
    if (open < 0) return
    // Only the beginning is needed: the values of an entry are short.
    const written = text.slice(at, Math.min(open, at + MAX_LOC_CHARACTERS + 1))
    const [start, end] = DELIMITERS.find(([begins]) => text.startsWith(begins, open)) ?? ['<', '>']
    const close = text.indexOf(end, open + start.length)
    if (close < 0) return
    at = close + end.length
    if (start === '<![CDATA[') {
      const within = text.slice(open + start.length, Math.min(close, open + MAX_LOC_CHARACTERS))
      yield { written: `${written}${within}`, tag: undefined }
    } else {
      yield { written, tag: start === '<' ? tagOf(text, open, close) : undefined }
    }
  }
}

const DELIMITERS: [begins: string, ends: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
]

function tagOf(text: string, open: number, close: number): Tag {
  const inner = text.slice(open + 1, Math.min(close, open + MAX_NAME_CHARACTERS))
  const isClose = inner.startsWith('/')
  const [word = ''] = (isClose ? inner.slice(1) : inner).split(/[\s/]/, 1)
  const kind = isClose ? 'close' : text[close - 1] === '/' ? 'empty' : 'open'
  return { kind, name: word.slice(word.lastIndexOf(':') + 1), at: open }
}

function timeOf(text: string): number | undefined {
  const time = Date.parse(text.trim().slice(0, 100))
  return Number.isNaN(time) ? undefined : time
}
