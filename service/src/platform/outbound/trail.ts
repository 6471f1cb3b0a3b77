import type { ChosenBy } from './chosen-by.ts'
import { createGuardedFetch, type OutboundRequest } from './fetch-guarded.ts'
import type { ConnectionGuard } from './guarded-connection.ts'
import { startGuardedProxy, type GuardedProxy } from './guarded-proxy.ts'
import type { OutboundFailure } from './outbound-failure.ts'
import type { OutboundResponse } from './outbound-response.ts'

/** A request of a reading: `namedBy` is the page that named the address, undefined where somebody gave it. */
export type TrailRequest = Omit<OutboundRequest, 'chosenBy'> & { namedBy: string | undefined }

/**
 * The way out for one reading of a website. It remembers where each host was found: a page of the public web leads to the
 * public web only, one of an opened private network also to that network, and no host moves from the one to the other.
 */
export interface Trail {
  fetch(address: string, request: TrailRequest): Promise<OutboundResponse>
  /** A proxy for a browser that shows one page, and may go where that page leads. */
  openProxy(page: string, onOverrun: (words: string) => void): Promise<GuardedProxy>
  close(): Promise<void>
}

const hostOf = (address: string | undefined) =>
  address === undefined ? undefined : URL.parse(address)?.hostname

export function createTrail(deps: {
  guard: ConnectionGuard
  named: readonly string[]
  report: (failure: OutboundFailure) => void
}): Trail {
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
      // A script is no reader: of what somebody named beside it, it reaches what its page leads to.
      const chooserFor = (hostname: string) =>
        hostname === pageHost ? chooserOf(hostname, page) : chosenByPage(page)
      return await startGuardedProxy({ guard, chooserFor, page, onOverrun })
    },
    close: () => guard.close(),
  }
}
