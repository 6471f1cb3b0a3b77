import { ENDPOINTS } from '@citewell/contract/endpoints'
import { createAccessTokenGate } from '../accounts/access-tokens/access-token-gate.ts'
import { accessTokenRoutes } from '../accounts/access-tokens/access-tokens-routes.ts'
import { clientKeyRoutes } from '../accounts/client-keys/client-keys-routes.ts'
import { knowledgeBaseRoutes } from '../accounts/knowledge-bases/knowledge-bases-routes.ts'
import type { Caller } from '../accounts/permissions/permissions.ts'
import { workspaceRoutes } from '../accounts/workspaces/workspaces-routes.ts'
import { createPublicGate } from '../channels/public-api/public-caller.ts'
import { createPublicChatRoutes } from '../channels/public-api/public-chat-routes.ts'
import { createPublicFeedbackRoutes } from '../channels/public-api/public-feedback-routes.ts'
import { DEFAULT_PUBLIC_RATE_LIMITS } from '../channels/public-api/public-rate-limits.ts'
import { createPublicSearchRoutes } from '../channels/public-api/public-search-routes.ts'
import { createPublicSuggestedQuestionsRoutes } from '../channels/public-api/public-suggested-questions-routes.ts'
import { createTeamAskRoutes } from '../channels/team-api/team-ask-routes.ts'
import { widgetRoutes } from '../channels/widgets/widgets-routes.ts'
import { documentRoutes } from '../content/documents/documents-routes.ts'
import { sourceGroupRoutes } from '../content/source-groups/source-groups-routes.ts'
import { sourceRoutes } from '../content/sources/sources-routes.ts'
import { syncRoutes } from '../content/syncs/syncs-routes.ts'
import { createHealthRoutes, type HealthDeps } from '../platform/health/health-routes.ts'
import { endpointsFor } from '../platform/http/endpoint.ts'
import { createRoutes, type MountedRoute } from '../platform/http/routes.ts'
import type { RateLimits } from '../platform/rate-limits/rate-limits.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Rooms } from './compose-rooms.ts'
import type { Check } from './diagnose.ts'

/** How often a stream of a sync's progress looks at it. */
const FOLLOW_EVERY_MS = 500

export interface RoutesInput {
  storage: Storage
  rooms: Rooms
  rateLimits: RateLimits
  health: HealthDeps
  diagnose(): Promise<Check[]>
  /** Answers are held against their schemas: for tests. */
  checksAnswers: boolean
}

const teamEndpoint = endpointsFor<'access-token', Caller>()

/** Every endpoint of the service, behind the gate of its kind of caller. */
export function composeRoutes({
  storage,
  rooms,
  rateLimits,
  health,
  diagnose,
  checksAnswers,
}: RoutesInput): MountedRoute[] {
  const { db } = storage
  const {
    knowledgeBases,
    sources,
    uploads,
    connectors,
    syncs,
    conversations,
    answering,
    search,
    suggestedQuestions,
  } = rooms
  return createRoutes({
    checksAnswers,
    authenticate: {
      'access-token': createAccessTokenGate((bearer) => rooms.accessTokens.authenticate(bearer)),
      'public-key': createPublicGate({
        db,
        clientKeys: rooms.clientKeys,
        rateLimits,
        limits: DEFAULT_PUBLIC_RATE_LIMITS,
      }),
    },
    routes: [
      ...createPublicChatRoutes({ db, answering, conversations }),
      ...createPublicSearchRoutes({ db, search }),
      ...createPublicSuggestedQuestionsRoutes({ suggestedQuestions }),
      ...createPublicFeedbackRoutes({ feedback: rooms.feedback }),
      ...createTeamAskRoutes({ db, knowledgeBases, answering, conversations, search, suggestedQuestions }),
      ...knowledgeBaseRoutes(knowledgeBases),
      ...sourceRoutes({ sources, uploads, knowledgeBases, preview: connectors.preview }),
      ...syncRoutes({ db, syncs, knowledgeBases, sources, followEveryMs: FOLLOW_EVERY_MS }),
      ...documentRoutes({ documents: rooms.documents, push: rooms.push }),
      ...sourceGroupRoutes(rooms.sourceGroups),
      ...clientKeyRoutes(rooms.clientKeys),
      ...widgetRoutes(rooms.widgets),
      ...workspaceRoutes({ workspaces: rooms.workspaces, accessTokens: rooms.accessTokens }),
      ...accessTokenRoutes(rooms.accessTokens),
      ...createHealthRoutes(health),
      teamEndpoint(ENDPOINTS.getDiagnostics, async () => ({ checks: await diagnose() })),
    ],
  })
}
