import type { ChosenBy } from './chosen-by.ts'
import { createGuardedFetch, type OutboundRequest } from './fetch-guarded.ts'
import type { ConnectionGuard } from './guarded-connection.ts'
import { startGuardedProxy, type GuardedProxy } from './guarded-proxy.ts'
import type { OutboundFailure } from './outbound-failure.ts'
import type { OutboundResponse } from './outbound-response.ts'

/** A request of a crawl: `namedBy` is the page that links to the address, undefined if a person entered it. */
export type CrawlRequest = Omit<OutboundRequest, 'chosenBy'> & { namedBy: string | undefined }

/**
 * Outbound access for one crawl of a website. It remembers the kind of network of each host: a page of the public web leads to the
 * public web only, a page of an allowed private network also to that network, and no host may move from one to the other.
 */
export interface CrawlOutbound {
  fetch(address: string, request: CrawlRequest): Promise<OutboundResponse>
  /** A proxy for a browser that renders one page, and may reach what that page may link to. */
  openProxy(page: string, onOverrun: (message: string) => void): Promise<GuardedProxy>
  close(): Promise<void>
}

const hostOf = (address: string | undefined) =>
  address === undefined ? undefined : URL.parse(address)?.hostname

export function createCrawlOutbound(deps: {
  guard: ConnectionGuard
  named: readonly string[]
  report: (failure: OutboundFailure) => void
}): CrawlOutbound {
  const { guard } = deps
  const named = new Set(deps.named.map(hostOf))

  const chosenByPage = (page: string): ChosenBy =>
    guard.kindOf(hostOf(page) ?? '') === 'private' ? 'private-page' : 'web-page'

  const chooserOf = (hostname: string, namedBy: string | undefined): ChosenBy =>
    namedBy === undefined || named.has(hostname) ? 'customer' : chosenByPage(namedBy)

  const fetchOutbound = createGuardedFetch({
    guard,
    chooserAfter: (hop, _chosenBy, next) => chooserOf(next.hostname, hop.href),
    report: deps.report,
  })
  return {
    fetch: async (address, { namedBy, ...request }) =>
      await fetchOutbound(address, { ...request, chosenBy: chooserOf(hostOf(address) ?? '', namedBy) }),
    openProxy: async (page, onOverrun) => {
      const pageHost = hostOf(page) ?? ''
      // A script is not a person: of the addresses entered besides its page, it only reaches what the page may link to.
      const chooserFor = (hostname: string) =>
        hostname === pageHost ? chooserOf(hostname, page) : chosenByPage(page)
      return await startGuardedProxy({ guard, chooserFor, page, onOverrun })
    },
    close: () => guard.close(),
  }
}
