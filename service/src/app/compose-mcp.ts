import { createMcpRoutes } from '../channels/mcp/mcp-routes.ts'
import { createPortalRoutes } from '../channels/mcp/portal-routes.ts'
import {
  createInFlightCalls,
  createMcpLimits,
  createPortalTools,
  createServerTools,
  findSignInServer,
} from '../channels/mcp/mcp.ts'
import { readerAddress, type PublicLimitsDeps } from '../channels/public-api/public-api.ts'
import { createOAuth } from '../channels/oauth/oauth.ts'
import type { BrowserSessions, IdentityProvider } from '../channels/sign-in/sign-in.ts'
import { Refusal } from '../kernel/refusal.ts'
import { createOutboundFetch } from '../platform/llm/outbound-fetch.ts'
import type { RequestSource } from '../platform/http/request-source.ts'
import type { RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Platform } from './compose-platform.ts'
import type { Rooms } from './compose-rooms.ts'
import type { RoomParts } from './room-parts.ts'
import type { Settings } from './settings.ts'
import type { Surroundings } from './surroundings.ts'

export interface ComposeMcpInput {
  settings: Settings
  storage: Storage
  platform: Platform
  rooms: Rooms
  /** Ways to sign in as a reader. */
  identityProviders: readonly IdentityProvider[]
  publicLimits: PublicLimitsDeps
  /** Counts in this process alone. */
  ownRateLimits: RateLimits
  /** Which member a browser is signed in as: members connect tools with their account here. */
  browserSessions: BrowserSessions
  report: RoomParts['report']
  surroundings: Pick<Surroundings, 'now' | 'newId'>
  version: string
  publicUrl: () => string
}

/** Tools that register themselves: a person connects a few a day. */
const REGISTRATIONS: RateLimit = { name: 'oauth-register', most: 20, windowSeconds: 60 }
/** Of everybody together, where nobody can be told apart: what one leaves over is for the others. */
const ALL_REGISTRATIONS: RateLimit = { name: 'oauth-register-all', most: 100, windowSeconds: 60 }

/** Ways to a consent page, and tokens: many people may share an address, but each one only begins so often. */
const VISITS: RateLimit = { name: 'oauth-visit', most: 300, windowSeconds: 60 }
const ALL_VISITS: RateLimit = { name: 'oauth-visit-all', most: 3_000, windowSeconds: 60 }

const ofAddressOrAll = (address: string, own: RateLimit, ofAll: RateLimit) =>
  address === '' ? { limit: ofAll, key: 'all' } : { limit: own, key: address }

/** The MCP servers with their sign-in: their addresses, and the tools in the order in which they are listed. */
export function composeMcp(input: ComposeMcpInput) {
  const { settings, storage, platform, rooms, publicLimits, ownRateLimits, report, version, publicUrl } =
    input
  const { db } = storage
  const { now, newId } = input.surroundings
  const refusedBy = async (takes: Parameters<RateLimits['take']>[0]) => {
    const refused = (await publicLimits.rateLimits.take(takes)).find((state) => !state.isAllowed)
    return refused && new Refusal('RATE_LIMITED', { retryAfterSeconds: refused.resetSeconds })
  }
  const clientAddressOf = ({ clientAddress, forwardedFor }: RequestSource) =>
    readerAddress(clientAddress, forwardedFor, publicLimits.trustedProxies) ?? ''
  const oauth = createOAuth({
    db,
    sealer: platform.sealer,
    masterKey: platform.oldestMasterKey,
    now,
    publicUrl,
    fetch: createOutboundFetch(platform.outbound, 'stranger'),
    identityProviders: input.identityProviders,
    findSignInServer: (serverName) => findSignInServer(db, serverName),
    browserSessions: input.browserSessions,
    connectedTools: rooms.connectedTools,
    allowedClients: { webClientHosts: settings.mcpWebClientHosts, toolSchemes: settings.mcpToolSchemes },
    newId,
    report,
    takeRegistration: (from) =>
      refusedBy([ofAddressOrAll(clientAddressOf(from), REGISTRATIONS, ALL_REGISTRATIONS)]),
    takeVisit: (from) => refusedBy([ofAddressOrAll(clientAddressOf(from), VISITS, ALL_VISITS)]),
  })
  const { addresses, search, answering, reports } = rooms
  const common = {
    db,
    clientKeys: rooms.clientKeys,
    personOfToken: oauth.personOfToken,
    offersReaderSignIn: oauth.offersReaderSignIn,
    version,
    publicUrl,
    allowedOrigins: settings.mcpWebClientHosts.map((host) => `https://${host}`),
    limits: createMcpLimits({ ...publicLimits, ownRateLimits, publicLimits: publicLimits.limits }),
    inFlightCalls: createInFlightCalls(),
    clientAddressOf,
    report,
  }
  const mcp = createMcpRoutes({
    ...common,
    countMcpCall: rooms.mcpCalls.count,
    tools: createServerTools({ db, addresses, search, answering, reports }),
  })
  const portal = createPortalRoutes({
    ...common,
    tools: createPortalTools({ db, addresses, search, answering }),
  })
  return { pages: [...oauth.pages, portal, mcp], jobs: oauth.jobs }
}
