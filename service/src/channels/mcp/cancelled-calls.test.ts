import { verifies } from '@citewell/spec/verifies'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

let llm: FakeLlm
let citewell: TestService
let base: { id: string; workspace_id: string; client_key: { key: string } }

beforeAll(async () => {
  llm = await startFakeLlm(fakeLlm.says('Keys are rotated every 90 days [1].'))
  citewell = await startTestService({ CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake' })
  base = await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Acme API' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    name: 'Handbook',
    type: 'push',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Signing keys',
        url: 'https://docs.example.com/keys',
        markdown: '# Signing keys\n\nKeys are rotated every 90 days.',
      },
    ],
  })
})

afterAll(async () => {
  // The model first: an answer that is still running would delay the shutdown of the service.
  await llm[Symbol.asyncDispose]()
  await citewell[Symbol.asyncDispose]()
})

const QUESTION = { question: 'How often are signing keys rotated?' }
const headers = () => ({ authorization: `Bearer ${base.client_key.key}` })
const address = () => new URL(`${citewell.address}/mcp`)

async function used(): Promise<number> {
  const usage = await citewell.json<{ questions: number }>(
    'GET',
    `/api/v1/workspaces/${base.workspace_id}/usage`,
  )
  return usage.questions
}

/** Waits until the model has been called once more. */
async function askedAgain(before: number): Promise<void> {
  while (llm.requests.length === before) await new Promise(setImmediate)
}

/** Asks a model that never finishes, disconnects with `leave`, and returns how long the model's connection stayed open afterwards. */
async function lasted(ask: () => Promise<unknown>, leave: () => Promise<void> | void): Promise<number> {
  llm.script(fakeLlm.neverEnds('Keys are rotated. '))
  const [before, aborted] = [llm.requests.length, llm.nextAbort()]
  const answer = ask().catch((fault: unknown) => fault)
  await askedAgain(before)
  const leftAt = performance.now()
  await leave()
  const { abortedAt } = await aborted
  await answer
  return (abortedAt ?? Infinity) - leftAt
}

verifies(
  ['mcp.cancelled', 'allowance.reader-left'],
  'a client that closes its connection ends the answer and the model call within 250 ms, and the question counts',
  async () => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(address(), { requestInit: { headers: headers() } }),
    )
    const before = await used()
    const leaving = new AbortController()
    const ms = await lasted(
      () => client.callTool({ name: 'ask_question', arguments: QUESTION }, { signal: leaving.signal }),
      () => leaving.abort(),
    )

    expect(ms).toBeLessThan(250)
    expect(await used()).toBe(before + 1)
    await client.close()
  },
  TIME_LIMIT,
)

verifies(
  'mcp.cancelled',
  'a client of the earlier protocol cancels with a notification, and its call gets no response',
  async () => {
    const client = new LegacyClient({ name: 'older', version: '1' })
    await client.connect(new LegacyTransport(address(), { requestInit: { headers: headers() } }))
    const leaving = new AbortController()
    const ms = await lasted(
      () =>
        client.callTool({ name: 'ask_question', arguments: QUESTION }, undefined, {
          signal: leaving.signal,
        }),
      () => leaving.abort(),
    )
    expect(ms).toBeLessThan(250)
    await client.close()
  },
  TIME_LIMIT,
)

const post = async (
  message: Record<string, unknown>,
  more: Record<string, string> = {},
  signal: AbortSignal | null = null,
) =>
  await outsideRequest(address(), {
    method: 'POST',
    signal,
    headers: {
      ...headers(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })

test('a dropped connection ends the answer in both versions of the protocol', TIME_LIMIT, async () => {
  const leaving = new AbortController()
  const call = { id: 6, method: 'tools/call', params: { name: 'ask_question', arguments: QUESTION } }
  const ms = await lasted(
    () => post(call, {}, leaving.signal).then((response) => response.text()),
    () => leaving.abort(),
  )
  expect(ms).toBeLessThan(250)
})

test('a client cannot cancel a call of another client that has the same request id and the same key', async () => {
  const call = { id: 7, method: 'tools/call', params: { name: 'ask_question', arguments: QUESTION } }
  const cancel = { method: 'notifications/cancelled', params: { requestId: 7 } }
  const other = { 'user-agent': 'other/1' }
  llm.script(fakeLlm.neverEnds('Keys are rotated. '))
  const [before, aborted] = [llm.requests.length, llm.nextAbort()]
  const waiting = post(call)
  await askedAgain(before)

  expect((await post(cancel, other)).status).toBe(202)
  expect((await post({ ...cancel, params: { requestId: '7' } })).status).toBe(202)
  expect(llm.requests.at(-1)?.abortedAt).toBeUndefined()
  expect((await post(cancel)).status).toBe(202)
  await aborted
  // The waiting connection ends without a response.
  expect(await (await waiting).text()).not.toContain('"result"')
})

verifies(
  'allowance.given-back',
  'a question whose model fails before its first token does not count',
  async () => {
    llm.script(fakeLlm.outOfQuota())
    const before = await used()
    const call = { id: 8, method: 'tools/call', params: { name: 'ask_question', arguments: QUESTION } }
    expect(await (await post(call)).text()).toContain('"isError":true')
    expect(await used()).toBe(before)
  },
)
