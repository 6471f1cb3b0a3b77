import type { ChosenBy } from './chosen-by.ts'
import { createGuardedFetch, type FetchOutbound } from './fetch-guarded.ts'
import { createConnectionGuard, systemLookup, type Lookup } from './guarded-connection.ts'
import { createGuardedSocket, type OpenSocket } from './guarded-socket.ts'
import type { OutboundFailure } from './outbound-failure.ts'
import {
  createOutboundPolicy,
  type PrivateNetworkSetting,
  type NetworkEnvironment,
} from './outbound-policy.ts'
import { createReportOnce } from './report-once.ts'
import { createCrawlOutbound, type CrawlOutbound } from './crawl-outbound.ts'

export type { OutboundRequest } from './fetch-guarded.ts'

export interface Outbound {
  /** Requests an address. Throws an `OutboundFailure`, or the signal's reason if it was aborted. */
  fetchOutbound: FetchOutbound
  /** Opens a WebSocket. Throws an `OutboundFailure`, or the signal's reason if it was aborted. */
  openSocket: OpenSocket
  /**
   * The checked addresses of a host, for a program that opens connections itself (git): it must be pinned to them. Throws an
   * `OutboundFailure`.
   */
  checkHost(hostname: string, port: number, chosenBy: ChosenBy): Promise<readonly string[]>
  /** Outbound access for one crawl of a website, which follows the links of pages; `named` are the addresses that a person entered. */
  openCrawl(named: readonly string[]): CrawlOutbound
  close(): Promise<void>
}

/**
 * The only outbound access of this service (the SSRF guard). Every connection, including redirects, goes to an address that was looked
 * up and checked for it; see `outbound-policy.ts` for what is allowed.
 *
 * @param deps.onFailed called with the exact reason, which the message of a failure may hide
 */
export function createOutbound(deps: {
  allowPrivateNetwork: PrivateNetworkSetting
  lookup?: Lookup
  networkEnvironment?: NetworkEnvironment
  onFailed?: (failure: OutboundFailure) => void
}): Outbound {
  const policy = createOutboundPolicy(deps.allowPrivateNetwork, deps.networkEnvironment)
  const newGuard = (holdsKinds: boolean) =>
    createConnectionGuard({ policy, lookup: deps.lookup ?? systemLookup, holdsKinds })
  const report = createReportOnce((failure) => deps.onFailed?.(failure))
  const guard = newGuard(false)
  const fetchOutbound = createGuardedFetch({
    guard,
    // A public host redirects to public hosts only, for any chooser.
    chooserAfter: (hop, chosenBy, next) =>
      next.hostname === hop.hostname || guard.kindOf(hop.hostname) === 'private' ? chosenBy : 'web-page',
    report,
  })

  return {
    fetchOutbound,
    openSocket: createGuardedSocket(guard),
    checkHost: (hostname, port, chosenBy) => guard.checkHost(hostname, port, chosenBy),
    openCrawl: (named) => createCrawlOutbound({ guard: newGuard(true), named, report }),
    close: () => guard.close(),
  }
}
