import type { ChosenBy } from './chosen-by.ts'
import { createGuardedFetch, type FetchOutbound } from './fetch-guarded.ts'
import { createConnectionGuard, systemLookup, type Lookup } from './guarded-connection.ts'
import type { OutboundFailure } from './outbound-failure.ts'
import { createOutboundPolicy, type PrivateNetworkSetting, type Surroundings } from './outbound-policy.ts'
import { createReportOnce } from './report-once.ts'
import { createTrail, type Trail } from './trail.ts'

export type { OutboundRequest } from './fetch-guarded.ts'

export interface Outbound {
  /** Asks one address. Throws an `OutboundFailure`, or the signal's reason when it was aborted. */
  fetchOutbound: FetchOutbound
  /**
   * The checked addresses of a host, for a program that opens connections itself (git): it has to be pinned to them.
   * Throws an `OutboundFailure`.
   */
  checkHost(hostname: string, port: number, chosenBy: ChosenBy): Promise<readonly string[]>
  /** The way out for one reading of a website, which goes where pages lead; `named` are the addresses that somebody gave. */
  openTrail(named: readonly string[]): Trail
  close(): Promise<void>
}

/**
 * The only way out of this service. Every connection, of every redirect too, goes to an address that was looked up and
 * checked for it; see `outbound-policy.ts` for who may reach what.
 *
 * @param deps.onFailed told what really happened, which the words of a failure do not tell everybody
 */
export function createOutbound(deps: {
  allowPrivateNetwork: PrivateNetworkSetting
  lookup?: Lookup
  surroundings?: Surroundings
  onFailed?: (failure: OutboundFailure) => void
}): Outbound {
  const policy = createOutboundPolicy(deps.allowPrivateNetwork, deps.surroundings)
  const newGuard = (holdsKinds: boolean) =>
    createConnectionGuard({ policy, lookup: deps.lookup ?? systemLookup, holdsKinds })
  const report = createReportOnce((failure) => deps.onFailed?.(failure))
  const guard = newGuard(false)
  const fetchOutbound = createGuardedFetch({
    guard,
    // A public host sends on to public hosts only, whoever chose it.
    chooserAfter: (hop, chosenBy, next) =>
      next.hostname === hop.hostname || guard.kindOf(hop.hostname) === 'private' ? chosenBy : 'web-page',
    report,
  })

  return {
    fetchOutbound,
    checkHost: (hostname, port, chosenBy) => guard.checkHost(hostname, port, chosenBy),
    openTrail: (named) => createTrail({ guard: newGuard(true), named, report }),
    close: () => guard.close(),
  }
}
