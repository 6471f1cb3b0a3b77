import { accessTokenRoutes } from '../src/accounts/access-tokens/access-tokens-routes.ts'
import { createAccessTokenGate } from '../src/accounts/access-tokens/access-token-gate.ts'
import { clientKeyRoutes } from '../src/accounts/client-keys/client-keys-routes.ts'
import { knowledgeBaseRoutes } from '../src/accounts/knowledge-bases/knowledge-bases-routes.ts'
import { workspaceRoutes } from '../src/accounts/workspaces/workspaces-routes.ts'
import { widgetRoutes } from '../src/channels/widgets/widgets-routes.ts'
import { documentRoutes } from '../src/content/documents/documents-routes.ts'
import { sourceGroupRoutes } from '../src/content/source-groups/source-groups-routes.ts'
import { sourceRoutes, type SourceRoutesDeps } from '../src/content/sources/sources-routes.ts'
import { syncRoutes } from '../src/content/syncs/syncs-routes.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import { createHttpApp } from '../src/platform/http/http-app.ts'
import { createOpenStreams } from '../src/platform/http/open-streams.ts'
import { createRoutes } from '../src/platform/http/routes.ts'
import { createLog } from '../src/platform/log/log.ts'
import { openTestRooms } from './test-rooms.ts'

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
export async function openTestManagement(given: { preview?: SourceRoutesDeps['preview'] } = {}) {
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
      authenticate: {
        'access-token': createAccessTokenGate((bearer) => rooms.accessTokens.authenticate(bearer)),
        'public-key': () => Promise.reject(new Refusal('UNAUTHENTICATED')),
      },
      routes: [
        ...workspaceRoutes(rooms),
        ...accessTokenRoutes(rooms.accessTokens),
        ...knowledgeBaseRoutes(rooms.knowledgeBases),
        ...clientKeyRoutes(rooms.clientKeys),
        ...widgetRoutes(rooms.widgets),
        ...sourceGroupRoutes(rooms.sourceGroups),
        ...sourceRoutes({ ...rooms, preview }),
        ...syncRoutes({ ...rooms, followEveryMs: 5 }),
        ...documentRoutes(rooms),
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
