import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadSitemap } from '../../parsing/parsing.ts'
import { normaliseAddress } from './page-address.ts'

export interface SitemapEntry {
  address: string
  lastmod: Date | undefined
}

/** Addresses normalized before yielding to the event loop: a file may have 50,000. */
const BATCH_SIZE = 500

/** The addresses in a sitemap, normalized; invalid ones are left out. */
export async function normaliseSitemap(
  read: ReadSitemap,
  base: string,
): Promise<{ pages: SitemapEntry[]; sitemaps: string[] }> {
  const pages: SitemapEntry[] = []
  for (const [place, { loc, lastmod }] of read.pages.entries()) {
    if (place % BATCH_SIZE === BATCH_SIZE - 1) await nextTurn()
    const address = normaliseAddress(loc, base)
    if (address !== undefined)
      pages.push({ address, lastmod: lastmod === undefined ? undefined : new Date(lastmod) })
  }
  const sitemaps = read.sitemaps.flatMap((loc) => normaliseAddress(loc, base) ?? [])
  return { pages, sitemaps }
}
