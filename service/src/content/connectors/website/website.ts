import type { SourceConfig } from '@citewell/contract/source-configs'
import { yieldToEventLoop } from '../../../kernel/yield-to-event-loop.ts'
import { SourceFailure, type Connector, type ConnectorInput, type SourceItems } from '../connector.ts'
import { createCrawlScope, type CrawlScope } from './crawl-scope.ts'
import { crawl } from './crawl.ts'
import { startPageAddress, openStartPages } from './open-start-pages.ts'
import { normaliseAddress } from './page-address.ts'
import { createPageFrontier, type PageFrontier } from './page-frontier.ts'
import { readSitemaps } from './sitemaps.ts'
import type { Web, WebReader } from './web-reader.ts'

export type WebsiteConfig = SourceConfig<'website'>

/** Default maximum number of links from a start page: what people read is never further away, but crawler traps are. */
const DEFAULT_MAX_DEPTH = 20

export const MAX_CRAWL_MS = 6 * 60 * 60 * 1_000

const unreadableSitemap = (reason: string) =>
  `A sitemap that the site names could not be read (${reason}): pages that only it lists are missing.`

/** Adds the pages of the sitemaps that the site's robots.txt names, or of the usual place. */
async function addSitemaps(
  given: { scope: CrawlScope; frontier: PageFrontier; maxPages: number },
  reader: WebReader,
  {
    onLeftOut,
    onSitemap,
  }: { onLeftOut: (url: string, reason: string) => void; onSitemap: (url: string) => void },
): Promise<void> {
  for (const origin of given.scope.origins()) {
    const named = (await reader.rulesOf(origin, origin)).sitemaps.flatMap(
      (url) => normaliseAddress(url, origin) ?? [],
    )
    const usual = `${origin}/sitemap.xml`
    const places = named.length > 0 ? named : [usual]
    const read = await readSitemaps(
      places.map((url) => ({ url, namedBy: origin })),
      reader,
      // Some will be left out, which is only known later.
      given.maxPages * 10,
    )
    const [first] = read.entries
    if (first !== undefined) onSitemap(first.namedBy)
    // Without a named sitemap, the usual place was only a guess: do not report it. What it names, the site names.
    const failed = read.failed.filter(({ url }) => named.length > 0 || url !== usual)
    const silent = failed.find(({ isTemporary }) => isTemporary)
    if (silent !== undefined)
      throw new SourceFailure(
        `The sitemap ${silent.url} could not be read: ${silent.reason} Without it pages would be missed; sync again later, or set use_sitemap to false.`,
      )
    for (const { url, reason } of failed) reader.onLimit(unreadableSitemap(reason), url)
    for (const { address, lastmod, namedBy } of read.entries) {
      const aligned = given.scope.align(address)
      const entry = { address: aligned, depth: 1, moves: 0, namedBy, lastmod }
      if (given.frontier.has(aligned)) continue
      await yieldToEventLoop()
      const reason = given.scope.exclusionReason(aligned)?.reason ?? given.frontier.add(entry)
      if (reason !== undefined) onLeftOut(aligned, reason)
    }
  }
}

/** Adds addresses that an earlier reading found, as far as they still belong to the source. */
async function addAddresses(
  addresses: readonly string[],
  scope: CrawlScope,
  frontier: PageFrontier,
): Promise<void> {
  for (const given of addresses) {
    const normal = normaliseAddress(given)
    if (normal === undefined) continue
    const address = scope.align(normal)
    await yieldToEventLoop()
    if (scope.exclusionReason(address) !== undefined) continue
    frontier.add({ address, depth: 0, moves: 0, namedBy: undefined, lastmod: undefined })
  }
}

/** Reads a website by its links and its sitemap, starting from its start pages. */
export function createWebsiteConnector(web: Web): Connector<WebsiteConfig> {
  /** @param only these addresses and the start pages; undefined: everything */
  async function* visitPages(input: ConnectorInput<WebsiteConfig>, only?: readonly string[]): SourceItems {
    const { config } = input
    const renderJs = config.render_js
    const contentSelector = config.content_selector ?? undefined
    const maxPages = config.max_pages
    const onLeftOut = (url: string, reason: string) => input.onLeftOut?.(url, reason)
    await using reader = await web.open({
      input,
      named: config.start_urls.map((start) => startPageAddress(start) ?? start),
      contentSelector,
      renderJs,
      settings: JSON.stringify([contentSelector ?? '', renderJs]),
    })
    const scope = createCrawlScope({ include: config.include, exclude: config.exclude })
    const frontier = createPageFrontier({
      maxDepth: config.max_depth ?? DEFAULT_MAX_DEPTH,
      isDepthChosen: config.max_depth !== null,
      onLimit: reader.onLimit,
    })
    const visited = await openStartPages(config.start_urls, { scope, frontier, visit: reader.visit })
    const [start] = [...visited.values()].filter((visit) => visit.kind === 'page')
    if (start?.page.document !== undefined) {
      const { document, generator } = start.page
      input.onDetected?.({ title: document.title, ...(generator !== undefined && { generator }) })
    }
    const onSitemap = (sitemap: string) => input.onDetected?.({ sitemap })
    if (only !== undefined) await addAddresses(only, scope, frontier)
    else if (config.use_sitemap) {
      await addSitemaps({ scope, frontier, maxPages }, reader, { onLeftOut, onSitemap })
    }
    yield* crawl({
      scope,
      frontier,
      visit: reader.visit,
      visited,
      followsLinks: only === undefined,
      maxPages,
      deadline: web.now() + MAX_CRAWL_MS,
      now: web.now,
      signal: reader.signal,
      ahead: reader.ahead,
      onLeftOut,
      onLimit: reader.onLimit,
    })
    if (only === undefined) yield { kind: 'complete' }
  }
  return {
    type: 'website',
    readsAsStranger: true,
    read: (input) => visitPages(input),
    readAddresses: visitPages,
  }
}
