import { isTemporaryStatus, type FetchPolitely } from './polite-fetch.ts'
import { normaliseSitemap, type SitemapEntry } from './normalise-sitemap.ts'
import type { ParseSitemap } from './web-reader.ts'

/** The protocol's own limit, 50 MiB. */
const MAX_SITEMAP_BYTES = 52_428_800
const MAX_FILES = 200
const MAX_INDEX_DEPTH = 3

interface SitemapReading {
  fetchPolitely: FetchPolitely
  parseSitemap: ParseSitemap
  signal: AbortSignal
}

export interface SitemapsRead {
  entries: (SitemapEntry & { namedBy: string })[]
  /** Files that could not be read, with the reason. */
  failed: { url: string; reason: string; isTemporary: boolean }[]
}

/** Maximum nested sitemaps that one file may name; the same limit applies to all files together. */
const MAX_NAMED = MAX_FILES

/** Reads sitemaps and the sitemaps that they name, up to `maxEntries` pages. Throws only if aborted. */
export async function readSitemaps(
  addresses: readonly { url: string; namedBy: string | undefined }[],
  { fetchPolitely, parseSitemap, signal }: SitemapReading,
  maxEntries: number,
): Promise<SitemapsRead> {
  const entries = new Map<string, SitemapsRead['entries'][number]>()
  const failed: SitemapsRead['failed'] = []
  const seen = new Set<string>()
  let level = addresses
  for (let depth = 0; depth < MAX_INDEX_DEPTH && level.length > 0; depth += 1) {
    const below: { url: string; namedBy: string }[] = []
    for (const { url, namedBy } of level) {
      if (seen.has(url) || seen.size >= MAX_FILES || entries.size >= maxEntries) continue
      seen.add(url)
      const answer = await fetchPolitely(url, {
        namedBy,
        accept: 'application/xml,text/xml,*/*;q=0.5',
        followRedirects: true,
        conditions: undefined,
        maxBytes: MAX_SITEMAP_BYTES,
      })
      if (answer.kind === 'no-answer') failed.push({ url, reason: answer.reason, isTemporary: true })
      else if (answer.status !== 200) {
        const isTemporary = isTemporaryStatus(answer.status)
        failed.push({ url, reason: `it answered ${answer.status}`, isTemporary })
      } else {
        try {
          const base = answer.url.href
          const read = await normaliseSitemap(await parseSitemap(answer.bytes, base, maxEntries), base)
          for (const entry of read.pages.slice(0, maxEntries)) {
            if (!entries.has(entry.address))
              entries.set(entry.address, { ...entry, namedBy: answer.url.href })
          }
          for (const address of read.sitemaps.slice(0, MAX_NAMED))
            below.push({ url: address, namedBy: answer.url.href })
        } catch (error) {
          signal.throwIfAborted()
          const reason = error instanceof Error ? error.message : 'it is not a sitemap'
          failed.push({ url, reason, isTemporary: false })
        }
      }
    }
    level = below
  }
  return { entries: [...entries.values()].slice(0, maxEntries), failed }
}
