import { request, Agent } from 'node:http'
import { longUnless } from '@citewell/spec/long-unless'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let key: string
let chatPath: string

beforeAll(async () => {
  citewell = await startTestService()
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    {
      name: 'Valves',
    },
  )
  key = base.client_key.key
  chatPath = `/api/v1/public/knowledge-bases/${base.id}/chat`
})
afterAll(async () => await citewell[Symbol.asyncDispose]())

/** Longer than the HTTP library drains a body that was not read before it closes the connection. */
const LONG_ENOUGH_MS = 1_500

/** Sends a body of this size, and tells whether the connection is still open a while after the response. */
async function sendLarge(path: string, bytes: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_docs', arguments: { query: '\n'.repeat(bytes / 2) } },
  })
  let isOpen = true
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const headers = {
    authorization: `Bearer ${key}`,
    'x-client-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
  }
  const sending = request(`${citewell.address}${path}`, { agent, method: 'POST', headers }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode))
  })
  sending.on('socket', (socket) => socket.on('close', () => (isOpen = false)))
  sending.on('error', reject).end(body)
  const status = await promise
  await new Promise((wake) => {
    setTimeout(wake, LONG_ENOUGH_MS)
  })
  const outcome = { status, isOpen }
  agent.destroy()
  return outcome
}

for (const bytes of [500_000, 1_200_000, 1_840_000])
  test(
    `a body of ${bytes} bytes is answered, and its connection serves the next request`,
    longUnless(bytes === 1_200_000),
    async () => {
      const expected = bytes > 1_048_576 ? 413 : 200
      expect(await sendLarge(chatPath, bytes)).toEqual({
        status: bytes > 1_048_576 ? 413 : 400,
        isOpen: true,
      })
      expect(await sendLarge('/mcp', bytes)).toEqual({ status: expected, isOpen: true })
    },
  )
