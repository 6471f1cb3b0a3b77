import { createChangeRecorder } from '../src/accounts/activity-log/activity-log.ts'
import { activityRoutes } from '../src/accounts/activity-log/activity-log-routes.ts'
import { grantRoutes } from '../src/accounts/grants/grants-routes.ts'
import { memberRoutes } from '../src/accounts/members/members-routes.ts'
import { accessTokenRoutes } from '../src/accounts/access-tokens/access-tokens-routes.ts'
import { createAccessTokenGate } from '../src/accounts/access-tokens/access-token-gate.ts'
import { createRetention } from '../src/answers/retention/retention.ts'
import { keptApprovals } from '../src/channels/approvals/approvals.ts'
import { keptSimulations } from '../src/channels/simulations/simulations.ts'
import { retentionRoutes } from '../src/answers/retention/retention-routes.ts'
import { analyticsRoutes } from '../src/answers/analytics/analytics-routes.ts'
import { createAnalytics, createQuestionVectors } from '../src/answers/analytics/analytics.ts'
import { conversationRoutes } from '../src/answers/conversations/conversations-routes.ts'
import { createQuestionSettings } from '../src/answers/question-settings/question-settings.ts'
import { createReports } from '../src/answers/reports/reports.ts'
import { reportRoutes } from '../src/answers/reports/reports-routes.ts'
import { createKeptConversations } from '../src/answers/conversations/conversations.ts'
import { traceRoutes } from '../src/answers/traces/traces-routes.ts'
import { createTraces } from '../src/answers/traces/traces.ts'
import { createAllowance } from '../src/accounts/allowance/allowance.ts'
import { allowanceRoutes } from '../src/accounts/allowance/allowance-routes.ts'
import { clientKeyRoutes } from '../src/accounts/client-keys/client-keys-routes.ts'
import { knowledgeBaseRoutes } from '../src/accounts/knowledge-bases/knowledge-bases-routes.ts'
import { workspaceRoutes } from '../src/accounts/workspaces/workspaces-routes.ts'
import { mcpServerRoutes } from '../src/channels/mcp-servers/mcp-servers-routes.ts'
import { widgetRoutes } from '../src/channels/widgets/widgets-routes.ts'
import { customAnswerRoutes } from '../src/content/custom-answers/custom-answers-routes.ts'
import { documentRoutes } from '../src/content/documents/documents-routes.ts'
import { sourceGroupRoutes } from '../src/content/source-groups/source-groups-routes.ts'
import { createPreviewSlots } from '../src/content/connectors/connectors.ts'
import { sourceRoutes, type SourceRoutesDeps } from '../src/content/sources/sources-routes.ts'
import { syncRoutes } from '../src/content/syncs/syncs-routes.ts'
import { newId } from '../src/kernel/ids.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import { createHttpApp } from '../src/platform/http/http-app.ts'
import { createOpenStreams } from '../src/platform/http/open-streams.ts'
import { createRoutes } from '../src/platform/http/routes.ts'
import { createLog } from '../src/platform/log/log.ts'
import { openTestRooms } from './test-rooms.ts'
import { testAddresses } from './test-addresses.ts'

const { addressOf } = testAddresses

export interface TestAnswer {
  status: number
  headers: Headers
  /** The parsed body; undefined where there is none. */
  body: Record<string, unknown>
}

/**
 * The management API over `openTestRooms()`, asked without a socket. Every answer is held against its schema.
 *
 * @example
 * await using api = await openTestManagement()
 * const base = await api.send('POST', '/knowledge-bases', { name: 'Acme docs' })
 */
export async function openTestManagement(
  given: { preview?: SourceRoutesDeps['preview']; offersMcpSignIn?: boolean } = {},
) {
  const rooms = await openTestRooms()
  const preview: SourceRoutesDeps['preview'] =
    given.preview ?? (() => Promise.reject(new Error('no preview in this test')))
  const app = createHttpApp({
    log: createLog('silent'),
    publicUrl: 'http://localhost',
    openStreams: createOpenStreams(),
    isStopping: () => false,
    routes: createRoutes({
      checksAnswers: true,
      aroundTeamRoutes: createChangeRecorder({
        db: rooms.db,
        now: () => rooms.clock.time,
        onNotRecorded: (fault, operationId) => {
          throw new Error(`${operationId} was not recorded.`, { cause: fault })
        },
      }),
      authenticate: {
        'access-token': createAccessTokenGate((bearer) => rooms.accessTokens.authenticate(bearer)),
        'public-key': () => Promise.reject(new Refusal('UNAUTHENTICATED')),
      },
      routes: [
        ...workspaceRoutes(rooms),
        ...memberRoutes({
          members: rooms.members,
          memberTokens: rooms.memberTokens,
          publicUrl: () => 'http://localhost',
        }),
        ...grantRoutes(rooms.grants),
        ...activityRoutes(rooms.activityLog),
        ...accessTokenRoutes(rooms.accessTokens),
        ...allowanceRoutes(createAllowance({ db: rooms.db })),
        ...retentionRoutes(
          createRetention({
            db: rooms.db,
            pseudonymOf: (name) => `masked-${name}`,
            alsoKept: [keptApprovals, keptSimulations],
          }),
        ),
        ...knowledgeBaseRoutes(rooms.knowledgeBases),
        ...conversationRoutes(createKeptConversations(rooms), addressOf),
        ...reportRoutes(
          createReports({
            ...rooms,
            mask: createQuestionSettings(rooms).mask,
            newId,
            now: () => rooms.clock.time,
          }),
        ),
        ...traceRoutes(
          createTraces({
            ...rooms,
            addressOf,
            answerUnkept: () => Promise.reject(new Error('no answers in this test')),
          }),
        ),
        ...analyticsRoutes(
          createAnalytics({
            ...rooms,
            addressOf,
            now: () => rooms.clock.time,
            vectors: createQuestionVectors({ db: rooms.db, embedder: undefined, report: () => {} }),
          }),
        ),
        ...clientKeyRoutes(rooms.clientKeys),
        ...widgetRoutes(rooms.widgets),
        ...mcpServerRoutes({
          mcpServers: rooms.mcpServers,
          publicUrl: () => 'http://localhost',
          offersMcpSignIn: given.offersMcpSignIn ?? false,
        }),
        ...sourceGroupRoutes(rooms.sourceGroups),
        ...customAnswerRoutes(rooms.customAnswers),
        ...sourceRoutes({ ...rooms, preview, previewSlots: createPreviewSlots({ isCounted: false }) }),
        ...syncRoutes({ ...rooms, followEveryMs: 5 }),
        ...documentRoutes({ ...rooms, addresses: testAddresses }),
      ],
    }),
  })
  await rooms.workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  const token = await rooms.workspaces.createOperatorToken()

  async function fetch(method: string, path: string, body?: unknown, withToken: string | undefined = token) {
    const isForm = body instanceof FormData
    const form = isForm ? new Response(body) : undefined
    const contentType = form?.headers.get('content-type') ?? 'application/json'
    const bytes = form === undefined ? JSON.stringify(body) : await form.arrayBuffer()
    const request = new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${withToken}`,
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body: bytes }),
    })
    return await app.fetch(request)
  }

  /** Sends a request to `/api/v1`, as the first owner unless another token is given. */
  async function send(method: string, path: string, body?: unknown, withToken?: string): Promise<TestAnswer> {
    const response = await fetch(method, path, body, withToken)
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: response.status, headers: response.headers, body: parsed }
  }

  /** The same, for what has to succeed: gives back the body. */
  async function ask<Body = Record<string, string>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Body> {
    const answer = await send(method, path, body)
    if (answer.status >= 400)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Body
  }

  return { ...rooms, fetch, send, ask, token, close: rooms.close, [Symbol.asyncDispose]: rooms.close }
}

export type TestManagement = Awaited<ReturnType<typeof openTestManagement>>
