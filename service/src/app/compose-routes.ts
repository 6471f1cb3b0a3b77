import { baseEventRoutes } from '../channels/base-events/base-events-routes.ts'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { createManagementGate } from '../accounts/access-tokens/management-gate.ts'
import { activityRoutes } from '../accounts/activity-log/activity-log-routes.ts'
import { grantRoutes } from '../accounts/grants/grants-routes.ts'
import { memberRoutes } from '../accounts/members/members-routes.ts'
import { passwordRoutes } from '../accounts/passwords/passwords-routes.ts'
import { sessionRoutes } from '../accounts/sessions/sessions-routes.ts'
import { accessTokenRoutes } from '../accounts/access-tokens/access-tokens-routes.ts'
import { allowanceRoutes } from '../accounts/allowance/allowance-routes.ts'
import { clientKeyRoutes } from '../accounts/client-keys/client-keys-routes.ts'
import { knowledgeBaseRoutes } from '../accounts/knowledge-bases/knowledge-bases-routes.ts'
import { retentionRoutes } from '../answers/retention/retention-routes.ts'
import type { Caller } from '../accounts/permissions/permissions.ts'
import { workspaceRoutes } from '../accounts/workspaces/workspaces-routes.ts'
import { analyticsRoutes } from '../answers/analytics/analytics-routes.ts'
import { conversationRoutes } from '../answers/conversations/conversations-routes.ts'
import { evaluationRoutes } from '../answers/evaluation/evaluation-routes.ts'
import { exportRoutes } from '../answers/exports/exports-routes.ts'
import { feedbackRoutes } from '../answers/feedback/feedback-routes.ts'
import { knowledgeGapRoutes } from '../answers/knowledge-gaps/knowledge-gaps-routes.ts'
import { mcpFeedbackRoutes } from '../answers/mcp-feedback/mcp-feedback-routes.ts'
import { piiRoutes } from '../answers/pii/pii-routes.ts'
import { traceRoutes } from '../answers/traces/traces-routes.ts'
import { captchaRoutes } from '../channels/public-api/captcha-routes.ts'
import { connectedToolRoutes } from '../channels/oauth/connected-tools-routes.ts'
import { mcpServerRoutes } from '../channels/mcp-servers/mcp-servers-routes.ts'
import { createFormDeflectRoutes } from '../channels/form-deflectors/form-deflect-routes.ts'
import { formDeflectorRoutes } from '../channels/form-deflectors/form-deflectors-routes.ts'
import { createOpenAiRoutes } from '../channels/public-api/openai-routes.ts'
import { createPublicGate, type PublicLimitsDeps } from '../channels/public-api/public-api.ts'
import { createPublicChatRoutes } from '../channels/public-api/public-chat-routes.ts'
import { createPublicFeedbackRoutes } from '../channels/public-api/public-feedback-routes.ts'
import { createPublicSearchRoutes } from '../channels/public-api/public-search-routes.ts'
import { createPublicSuggestedQuestionsRoutes } from '../channels/public-api/public-suggested-questions-routes.ts'
import type { createOwnAccountRoutes } from '../channels/sign-in/sign-in.ts'
import { createWorkspaceAskRoutes } from '../channels/team-api/workspace-ask-routes.ts'
import { createTeamAskRoutes } from '../channels/team-api/team-ask-routes.ts'
import { createWidgetKeyRoutes } from '../channels/widgets/widget-key-routes.ts'
import { createWidgetConfigRoutes } from '../channels/widgets/widget-config-routes.ts'
import { widgetRoutes } from '../channels/widgets/widgets-routes.ts'
import { customAnswerRoutes } from '../content/custom-answers/custom-answers-routes.ts'
import { documentRoutes } from '../content/documents/documents-routes.ts'
import { sourceConnectionRoutes } from '../content/source-connections/source-connections-routes.ts'
import { sourceGroupRoutes } from '../content/source-groups/source-groups-routes.ts'
import { sourceRoutes } from '../content/sources/sources-routes.ts'
import { syncRoutes } from '../content/syncs/syncs-routes.ts'
import { createHealthRoutes, type HealthDeps } from '../platform/health/health-routes.ts'
import { endpointsFor } from '../platform/http/endpoint.ts'
import type { Idempotency } from '../platform/http/idempotency/idempotency.ts'
import { createRoutes, type MountedRoute } from '../platform/http/routes.ts'
import { isSameOrigin } from '../platform/http/same-origin.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { integrationRoutes } from './compose-integration-routes.ts'
import type { Rooms } from './compose-rooms.ts'
import type { Check } from './diagnose.ts'
import type { Surroundings } from './surroundings.ts'

/** How often a stream of a sync's progress looks at it. */
const FOLLOW_EVERY_MS = 500

export interface RoutesInput {
  storage: Storage
  rooms: Rooms
  publicLimits: PublicLimitsDeps
  /** Whether readers can sign in at MCP servers: else no widget offers one, and none is made by itself. */
  offersMcpSignIn: boolean
  idempotency: Idempotency
  health: HealthDeps
  diagnose(given: { auditsActivity: boolean }): Promise<Check[]>
  /** Where the service is reached, without a slash at its end; known once it listens. */
  publicUrl: () => string
  /** Logs what went wrong beside a request. */
  report(fault: unknown, what: string): void
  /** The member who is signed in with the browser that sent these headers. */
  callerOfSession: (headers: Headers) => Promise<Caller | undefined>
  /** Those of signing in: they check the password of who calls. */
  ownAccountRoutes: ReturnType<typeof createOwnAccountRoutes>
  surroundings: Pick<Surroundings, 'now' | 'validatesResponses'>
}

const teamEndpoint = endpointsFor<'access-token', Caller>()

/** Every endpoint of the service, behind the gate of its kind of caller. */
export function composeRoutes({
  storage,
  rooms,
  publicLimits,
  offersMcpSignIn,
  idempotency,
  health,
  diagnose,
  publicUrl,
  report,
  callerOfSession,
  ownAccountRoutes,
  surroundings,
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
  const questions = rooms.publicQuestions
  const managementGate = createManagementGate({
    authenticate: (bearer) => rooms.accessTokens.authenticate(bearer),
    callerOfSession,
    publicUrl,
  })
  return createRoutes({
    validatesResponses: surroundings.validatesResponses,
    aroundTeamRoutes: rooms.recordChanges,
    idempotency: { of: idempotency, credentialIdOf: ({ tokenId, session }) => tokenId ?? session?.id ?? '' },
    authenticate: {
      'access-token': managementGate,
      'public-key': createPublicGate({
        clientKeys: rooms.clientKeys,
        ...publicLimits,
        captcha: rooms.captcha,
        isOwnPage: (headers) => isSameOrigin(headers, publicUrl()),
      }),
      platform: rooms.platformHooks.gate,
    },
    routes: [
      ...createPublicChatRoutes({ questions, answering }),
      ...createOpenAiRoutes({ questions, answering, countTokens: rooms.countTokens, now: surroundings.now }),
      ...createFormDeflectRoutes({ deflections: rooms.deflections }),
      ...createPublicSearchRoutes({ db, search }),
      ...createPublicSuggestedQuestionsRoutes({ suggestedQuestions }),
      ...createPublicFeedbackRoutes({ feedback: rooms.feedback }),
      ...createWorkspaceAskRoutes({
        db,
        answering,
        ownConversations: rooms.ownConversations,
        search,
        authenticate: managementGate,
      }),
      ...createTeamAskRoutes({
        db,
        knowledgeBases,
        answering,
        conversations,
        search,
        suggestedQuestions,
        authenticate: managementGate,
      }),
      ...knowledgeBaseRoutes({
        bases: knowledgeBases,
        addSample: async (caller, baseId) => await sources.addSample(caller, baseId),
      }),
      ...sourceRoutes({
        sources,
        uploads,
        knowledgeBases,
        ...connectors,
        previewSlots: rooms.previewSlots,
        connections: rooms.sourceConnections,
      }),
      ...sourceConnectionRoutes(rooms.sourceConnections),
      ...syncRoutes({
        db,
        syncs,
        syncHolds: rooms.syncHolds,
        knowledgeBases,
        sources,
        followEveryMs: FOLLOW_EVERY_MS,
        authenticate: managementGate,
      }),
      ...baseEventRoutes({ baseEvents: rooms.baseEvents, knowledgeBases, authenticate: managementGate }),
      ...documentRoutes({
        documents: rooms.documents,
        push: rooms.push,
        uploadedFiles: rooms.uploadedFiles,
        addresses: rooms.addresses,
      }),
      ...sourceGroupRoutes(rooms.sourceGroups),
      ...customAnswerRoutes(rooms.customAnswers),
      ...clientKeyRoutes(rooms.clientKeys),
      ...widgetRoutes(rooms.widgets),
      ...integrationRoutes(rooms),
      ...formDeflectorRoutes(rooms.formDeflectors),
      ...captchaRoutes(rooms.captcha),
      ...createWidgetConfigRoutes({
        db,
        captcha: rooms.captcha,
        mcpServers: rooms.mcpServers,
        widgets: rooms.widgets,
        offersMcpSignIn,
        publicUrl,
        report,
      }),
      ...createWidgetKeyRoutes({ db, ...publicLimits }),
      ...mcpServerRoutes({ mcpServers: rooms.mcpServers, publicUrl, offersMcpSignIn }),
      ...connectedToolRoutes(rooms.connectedTools),
      ...conversationRoutes({
        conversations: rooms.storedConversations,
        ownConversations: rooms.ownConversations,
        addressOf: rooms.addresses.addressOf,
      }),
      ...feedbackRoutes(rooms.feedback),
      ...piiRoutes({ knowledgeBases }),
      ...traceRoutes(rooms.traces),
      ...mcpFeedbackRoutes(rooms.reports),
      ...analyticsRoutes(rooms.analytics),
      ...knowledgeGapRoutes(rooms.knowledgeGaps),
      ...evaluationRoutes({ set: rooms.evaluationSet, runs: rooms.evaluationRuns }),
      ...exportRoutes(rooms.exports),
      ...workspaceRoutes({
        workspaces: rooms.workspaces,
        instanceWorkspaces: rooms.instanceWorkspaces,
        knowledgeBases,
        accessTokens: rooms.accessTokens,
        passwords: rooms.passwords,
        publicUrl,
      }),
      ...memberRoutes({ members: rooms.members, memberTokens: rooms.memberTokens, publicUrl }),
      ...grantRoutes(rooms.grants),
      ...activityRoutes(rooms.activityLog),
      ...accessTokenRoutes(rooms.accessTokens),
      ...ownAccountRoutes,
      ...sessionRoutes(rooms.sessions),
      ...passwordRoutes({ passwords: rooms.passwords, publicUrl }),
      ...allowanceRoutes(rooms.allowance),
      ...retentionRoutes(rooms.retention),
      ...createHealthRoutes(health),
      teamEndpoint(ENDPOINTS.getDiagnostics, async ({ query }) => ({
        checks: await diagnose({ auditsActivity: query.audit === 'true' }),
      })),
    ],
  })
}
