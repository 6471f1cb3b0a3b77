import { isTemporaryStatus, type FetchPolitely } from './polite-fetch.ts'
import type { ConnectorInput } from '../connector.ts'
import { normaliseSitemap, type SitemapEntry } from './normalise-sitemap.ts'
import type { ParseSitemap } from './web-reader.ts'

/** The protocol's own limit, 50 MiB. */
const MAX_SITEMAP_BYTES = 52_428_800
/** One request each, in the host's turn: an index of a thousand takes minutes. The protocol allows 50,000, of which no documentation makes use. */
const MAX_FILES = 1_000
const MAX_INDEX_DEPTH = 3

const TOO_MANY_FILES = `The sitemap has more than ${MAX_FILES.toLocaleString('en')} files: the others were not read.`
const TOO_DEEP = `Sitemaps are followed ${MAX_INDEX_DEPTH} levels deep: those below were not read.`
const LONG_ADDRESS = 'Addresses in sitemaps that are longer than 2,048 characters were left out.'
const tooManyPages = (most: number) =>
  `Of sitemaps, at most ${most.toLocaleString('en')} addresses are read, ten times max_pages: the others were left out. Raise max_pages, or name a narrower sitemap.`

interface SitemapReading {
  fetchPolitely: FetchPolitely
  parseSitemap: ParseSitemap
  signal: AbortSignal
  onLimit: NonNullable<ConnectorInput<unknown>['onLimit']>
}

export interface SitemapsRead {
  entries: (SitemapEntry & { namedBy: string })[]
  /** Files that could not be read, with the reason. */
  failed: { url: string; reason: string; isTemporary: boolean }[]
}

/** One file: what it lists, or why it could not be read. */
async function readFile(
  { url, namedBy }: { url: string; namedBy: string | undefined },
  { fetchPolitely, parseSitemap, signal, onLimit }: SitemapReading,
  maxEntries: number,
): Promise<
  { base: string; pages: SitemapEntry[]; sitemaps: string[] } | { failed: SitemapsRead['failed'][number] }
> {
  const answer = await fetchPolitely(url, {
    namedBy,
    accept: 'application/xml,text/xml,*/*;q=0.5',
    followRedirects: true,
    conditions: undefined,
    maxBytes: MAX_SITEMAP_BYTES,
  })
  if (answer.kind === 'no-answer') return { failed: { url, reason: answer.reason, isTemporary: true } }
  if (answer.status !== 200) {
    const isTemporary = isTemporaryStatus(answer.status)
    return { failed: { url, reason: `it answered ${answer.status}`, isTemporary } }
  }
  try {
    const base = answer.url.href
    // One more than is read tells that there are more.
    const parsed = await parseSitemap(answer.bytes, base, maxEntries + 1)
    if (parsed.tooLong > 0) onLimit(LONG_ADDRESS, base)
    return { base, ...(await normaliseSitemap(parsed, base)) }
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : 'it is not a sitemap'
    return { failed: { url, reason, isTemporary: false } }
  }
}

/** Reads sitemaps and the sitemaps that they name, up to `maxEntries` pages. Throws only if aborted. */
export async function readSitemaps(
  addresses: readonly { url: string; namedBy: string | undefined }[],
  reading: SitemapReading,
  maxEntries: number,
): Promise<SitemapsRead> {
  const { onLimit } = reading
  const entries = new Map<string, SitemapsRead['entries'][number]>()
  const failed: SitemapsRead['failed'] = []
  const seen = new Set<string>()

  function take(pages: readonly SitemapEntry[], namedBy: string): void {
    for (const entry of pages) {
      if (entries.has(entry.address)) continue
      if (entries.size < maxEntries) entries.set(entry.address, { ...entry, namedBy })
      else onLimit(tooManyPages(maxEntries), entry.address)
    }
  }

  let level = addresses
  for (let depth = 0; depth < MAX_INDEX_DEPTH && level.length > 0; depth += 1) {
    const below: { url: string; namedBy: string }[] = []
    for (const file of level) {
      if (seen.has(file.url)) continue
      if (seen.size >= MAX_FILES || entries.size >= maxEntries) {
        onLimit(seen.size >= MAX_FILES ? TOO_MANY_FILES : tooManyPages(maxEntries), file.url)
        continue
      }
      seen.add(file.url)
      const read = await readFile(file, reading, maxEntries)
      if ('failed' in read) failed.push(read.failed)
      else {
        take(read.pages, read.base)
        for (const url of read.sitemaps) below.push({ url, namedBy: read.base })
      }
    }
    level = below
  }
  for (const { url } of level) if (!seen.has(url)) onLimit(TOO_DEEP, url)
  return { entries: [...entries.values()], failed }
}
