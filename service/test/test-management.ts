import { openTestRooms } from './test-rooms.ts'
import type { ComposedGiven } from './open-composed.ts'

export interface TestAnswer {
  status: number
  headers: Headers
  /** The parsed body; undefined if there is none. */
  body: Record<string, unknown>
}

/**
 * The management API on `openTestRooms()`, called without a socket. Every answer is validated against its schema.
 *
 * @example
 * await using api = await openTestManagement()
 * const base = await api.send('POST', '/knowledge-bases', { name: 'Acme docs' })
 */
export async function openTestManagement(
  given: Pick<ComposedGiven, 'settings' | 'storage' | 'surroundings' | 'log'> = {},
) {
  const rooms = await openTestRooms(given)
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
    return await rooms.service.fetch(request)
  }

  /** Sends a request to `/api/v1`, as the first owner unless another token is given. */
  async function send(method: string, path: string, body?: unknown, withToken?: string): Promise<TestAnswer> {
    const response = await fetch(method, path, body, withToken)
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: response.status, headers: response.headers, body: parsed }
  }

  /** The same for requests that must succeed; returns the body. */
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
