import type { SourceConfig } from '@citewell/contract/source-configs'
import { yieldToEventLoop } from '../../../kernel/yield-to-event-loop.ts'
import { SourceFailure, type Connector, type ConnectorInput, type SourceItems } from '../connector.ts'
import { createCrawlScope } from '../website/crawl-scope.ts'
import { crawl } from '../website/crawl.ts'
import { normaliseAddress } from '../website/page-address.ts'
import { createPageFrontier } from '../website/page-frontier.ts'
import { readSitemaps } from '../website/sitemaps.ts'
import type { Web } from '../website/web-reader.ts'
import { MAX_CRAWL_MS } from '../website/website.ts'

export type SitemapConfig = SourceConfig<'sitemap'>

/** Reads the pages that a sitemap lists, and no others. */
export function createSitemapConnector(web: Web): Connector<SitemapConfig> {
  async function* read(input: ConnectorInput<SitemapConfig>): SourceItems {
    const { config } = input
    const renderJs = config.render_js
    const contentSelector = config.content_selector ?? undefined
    const maxPages = config.max_pages
    const onLeftOut = (url: string, reason: string) => input.onLeftOut?.(url, reason)
    const address = normaliseAddress(config.sitemap_url)
    if (address === undefined) throw new SourceFailure(`${config.sitemap_url} is not a web address.`)

    await using reader = await web.open({
      input,
      named: [address],
      contentSelector,
      renderJs,
      settings: JSON.stringify([contentSelector ?? '', renderJs]),
    })
    const { entries, failed } = await readSitemaps(
      [{ url: address, namedBy: undefined }],
      reader,
      maxPages * 10,
    )
    const problem =
      failed.find(({ isTemporary }) => isTemporary) ?? (entries.length === 0 ? failed[0] : undefined)
    if (problem !== undefined)
      throw new SourceFailure(
        `The sitemap ${problem.url} could not be read: ${problem.reason} Check its address.`,
      )
    if (entries.length === 0) throw new SourceFailure(`The sitemap ${address} lists no pages.`)
    for (const { url, reason } of failed) {
      yield { kind: 'failed', url, reason: `sitemap: ${reason}`, externalId: undefined, memory: undefined }
    }

    const scope = createCrawlScope({ include: config.include, exclude: config.exclude })
    for (const origin of new Set(entries.map((entry) => new URL(entry.address).origin)))
      scope.addRoot(`${origin}/`, '/')
    const frontier = createPageFrontier({ maxDepth: 0, isDepthChosen: true, onLimit: reader.onLimit })
    for (const entry of entries) {
      await yieldToEventLoop()
      const reason =
        scope.exclusionReason(entry.address)?.reason ?? frontier.add({ ...entry, depth: 0, moves: 0 })
      if (reason !== undefined) onLeftOut(entry.address, reason)
    }
    yield* crawl({
      scope,
      frontier,
      visit: reader.visit,
      visited: new Map(),
      followsLinks: false,
      maxPages,
      deadline: web.now() + MAX_CRAWL_MS,
      now: web.now,
      signal: reader.signal,
      ahead: reader.ahead,
      onLeftOut,
      onLimit: reader.onLimit,
    })
    // Nobody knows what a file lists that could not be read.
    if (failed.length === 0) yield { kind: 'complete' }
  }
  return { type: 'sitemap', readsAsStranger: true, read }
}
