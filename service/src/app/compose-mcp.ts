import { createMcpRoutes } from '../channels/mcp/mcp-routes.ts'
import { createPortalRoutes } from '../channels/mcp/portal-routes.ts'
import { findSignInServer } from '../channels/mcp/mcp-store.ts'
import { createOpenCalls } from '../channels/mcp/open-calls.ts'
import { createMcpLimits } from '../channels/mcp/take-mcp-limits.ts'
import { createAskQuestion } from '../channels/mcp/tools/ask-question.ts'
import { createGetDocuments } from '../channels/mcp/tools/get-documents.ts'
import { createGiveFeedback } from '../channels/mcp/tools/give-feedback.ts'
import { createListSources } from '../channels/mcp/tools/list-sources.ts'
import { createPortalAskQuestion } from '../channels/mcp/tools/portal-ask-question.ts'
import { createPortalGetDocuments } from '../channels/mcp/tools/portal-get-documents.ts'
import { createPortalListBases } from '../channels/mcp/tools/portal-list-bases.ts'
import { createPortalListSources } from '../channels/mcp/tools/portal-list-sources.ts'
import { createPortalSearchDocs } from '../channels/mcp/tools/portal-search-docs.ts'
import { createSearchDocs } from '../channels/mcp/tools/search-docs.ts'
import { readerAddress, type PublicLimitsDeps } from '../channels/public-api/public-api.ts'
import { createOAuth, type CameFrom } from '../channels/oauth/oauth.ts'
import { createOutsideProvider, type BrowserSessions } from '../channels/sign-in/sign-in.ts'
import { newId } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import { createOutboundFetch } from '../platform/llm/outbound-fetch.ts'
import type { Log } from '../platform/log/log.ts'
import type { RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Platform } from './compose-platform.ts'
import type { Rooms } from './compose-rooms.ts'
import type { Settings } from './settings.ts'

export interface ComposeMcpInput {
  settings: Settings
  storage: Storage
  platform: Platform
  rooms: Rooms
  publicLimits: PublicLimitsDeps
  /** Counts in this process alone. */
  ownRateLimits: RateLimits
  /** Which member a browser is signed in as: members connect tools with their account here. */
  browserSessions: BrowserSessions
  log: Log
  version: string
  publicUrl: () => string
}

/** Tools that register themselves: a person connects a few a day. */
const REGISTRATIONS: RateLimit = { name: 'oauth-register', most: 20, windowSeconds: 60 }

/** Ways to a consent page, and tokens: many people may share an address, but each one only begins so often. */
const VISITS: RateLimit = { name: 'oauth-visit', most: 300, windowSeconds: 60 }

/** The MCP servers with their sign-in: their addresses, and the tools in the order in which they are listed. */
export function composeMcp(input: ComposeMcpInput) {
  const { settings, storage, platform, rooms, publicLimits, ownRateLimits, log, version, publicUrl } = input
  const { db } = storage
  const now = () => new Date()
  const refusedBy = async (takes: Parameters<RateLimits['take']>[0]) => {
    const refused = (await publicLimits.rateLimits.take(takes)).find((state) => !state.isAllowed)
    return refused && new Refusal('RATE_LIMITED', { retryAfterSeconds: refused.resetSeconds })
  }
  const whereFrom = ({ clientAddress, forwardedFor }: CameFrom) =>
    readerAddress(clientAddress, forwardedFor, publicLimits.trustedProxies) ?? ''
  const fetchForOperator = createOutboundFetch(platform.outbound, 'operator')
  const report = (fault: unknown, doing: string) => log.error({ err: fault }, `${doing} failed`)
  const oauth = createOAuth({
    db,
    sealer: platform.sealer,
    masterKey: platform.oldestMasterKey,
    now,
    publicUrl,
    fetch: createOutboundFetch(platform.outbound, 'stranger'),
    outsideProviders: settings.signInProviders.map((provider) =>
      createOutsideProvider(provider, { fetch: fetchForOperator }),
    ),
    findSignInServer: (serverName) => findSignInServer(db, serverName),
    browserSessions: input.browserSessions,
    connectedTools: rooms.connectedTools,
    webClientHosts: settings.mcpWebClientHosts,
    newId,
    report,
    takeRegistration: (from) => refusedBy([{ limit: REGISTRATIONS, key: whereFrom(from) }]),
    takeVisit: (from) => refusedBy([{ limit: VISITS, key: whereFrom(from) }]),
  })
  const { search, answering } = rooms
  const common = {
    db,
    clientKeys: rooms.clientKeys,
    personBehind: oauth.personBehind,
    offersReaders: oauth.offersReaders,
    version,
    publicUrl,
    allowedOrigins: settings.mcpWebClientHosts.map((host) => `https://${host}`),
    limits: createMcpLimits({ ...publicLimits, ownRateLimits, publicLimits: publicLimits.limits }),
    openCalls: createOpenCalls(),
    whereFrom,
    report,
  }
  const mcp = createMcpRoutes({
    ...common,
    tools: [
      createSearchDocs({ search }),
      createAskQuestion({ answering }),
      createListSources({ db }),
      createGetDocuments({ db }),
      createGiveFeedback({ db, mask: rooms.questionSettings.mask, newId, now }),
    ],
  })
  const portal = createPortalRoutes({
    ...common,
    tools: [
      createPortalListBases(),
      createPortalSearchDocs({ db, search }),
      createPortalAskQuestion({ db, search, answering }),
      createPortalListSources({ db }),
      createPortalGetDocuments({ db }),
    ],
  })
  return { pages: [...oauth.pages, portal, mcp], jobs: oauth.jobs }
}
