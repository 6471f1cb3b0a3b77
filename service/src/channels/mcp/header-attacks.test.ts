import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

const VERSION = '2026-07-28'
const encoded = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`

let citewell: TestService
let server: string
let key: string

beforeAll(async () => {
  citewell = await startTestService()
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name: 'Headers' },
  )
  key = base.client_key.key
  await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
    server_name: 'header-attacks',
    sign_in_type: 'api_key',
  })
  server = `${citewell.address}/mcp/header-attacks`
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

/** The values of the headers; undefined headers are not sent. */
interface Said {
  version: string | undefined
  method: string | undefined
  name: string | undefined
}

const TRUE: Said = { version: VERSION, method: 'tools/call', name: 'feedback' }

/** Calls the one tool with a side effect: a stored report shows that the call ran, whatever the response. */
async function call(
  said: Said,
  body: { message: string; version?: unknown; method?: string; name?: unknown },
) {
  const answer = await outsideRequest(server, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      ...(said.version !== undefined && { 'mcp-protocol-version': said.version }),
      ...(said.method !== undefined && { 'mcp-method': said.method }),
      ...(said.name !== undefined && { 'mcp-name': said.name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: body.method ?? 'tools/call',
      params: {
        name: body.name ?? 'feedback',
        arguments: { message: body.message },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': body.version ?? VERSION,
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  return { status: answer.status, text: await answer.text() }
}

const done = async () =>
  (await citewell.rows('select message from mcp_feedback')).map(({ message }) => String(message))

const NAMES = [
  undefined,
  '',
  'search_docs',
  'Feedback',
  'FEEDBACK',
  'feedback, feedback',
  'feedback,search_docs',
  'feed back',
  'feedbacké',
  '"feedback"',
  'feedback\u00A0',
  'feedback%20',
  '../feedback',
  encoded('search_docs'),
  encoded('feedback\n'),
  encoded('feedback\u0000'),
  '=?base64?!!!?=',
  '=?base64??=',
  '=?base64?ZmVlZGJhY2s',
  '=?BASE32?ZmVlZGJhY2s=?=',
]
const METHODS = [
  undefined,
  '',
  'tools/list',
  'initialize',
  'TOOLS/CALL',
  'tools/call/',
  '/tools/call',
  'tools\\call',
  'tools/call, tools/list',
  'tools/callé',
  'notifications/initialized',
  'server/discover',
]
const VERSIONS = [
  undefined,
  '',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '9999-01-01',
  '2026-07-29',
  '2026-7-28',
  '2026-07-28, 2025-11-25',
  'DRAFT-2026-v1',
  'latest',
]

const cross = (): Said[] => [
  ...NAMES.map((name) => ({ ...TRUE, name })),
  ...METHODS.map((method) => ({ ...TRUE, method })),
  ...VERSIONS.map((version) => ({ ...TRUE, version })),
  ...NAMES.flatMap((name) => METHODS.map((method) => ({ ...TRUE, name, method }))).filter(
    (_, at) => at % 3 === 0,
  ),
  ...VERSIONS.flatMap((version) => METHODS.map((method) => ({ ...TRUE, version, method }))).filter(
    (_, at) => at % 2 === 0,
  ),
  // All headers differ from the body.
  { version: '2025-11-25', method: 'tools/list', name: 'search_docs' },
  { version: 'latest', method: 'initialize', name: undefined },
  { version: undefined, method: 'tools/list', name: encoded('search_docs') },
  { version: '9999-01-01', method: '', name: '' },
]

describe('headers and body of a call', () => {
  verifies(
    'mcp-attacks.header-mismatch',
    'a call whose headers differ from its body is refused, in 200 ways',
    async () => {
      const attacks = cross()
      const before = (await done()).length
      const answers: Awaited<ReturnType<typeof call>>[] = []
      for (let at = 0; at < attacks.length; at += 20) {
        const batch = attacks.slice(at, at + 20)
        answers.push(
          ...(await Promise.all(batch.map((said, place) => call(said, { message: `attack ${at + place}` })))),
        )
      }
      const accepted = attacks.filter((_, at) => (answers[at]?.status ?? 0) < 400)
      await call(TRUE, { message: 'control' })

      expect(attacks).toHaveLength(200)
      expect(accepted).toEqual([])
      expect(await done()).toHaveLength(before + 1)
      expect(answers.filter(({ text }) => !/-32020|-32022|-32602|-32600|-32601/.test(text))).toEqual([])
    },
  )

  verifies(
    'mcp-attacks.header-mismatch',
    'a call whose body differs from its headers is refused',
    async () => {
      const before = (await done()).length
      const bodies: { version?: unknown; method?: string; name?: unknown }[] = [
        { version: '2025-11-25' },
        { version: '9999-01-01' },
        { version: '' },
        { version: 20_260_728 },
        { version: [VERSION] },
        { version: ` ${VERSION}` },
        { method: 'tools/list' },
        { method: 'TOOLS/CALL' },
        { method: 'tools/call ' },
        { name: 'search_docs' },
        { name: 'feedback ' },
        { name: 'Feedback' },
        { name: ['feedback'] },
        { name: { toString: 'feedback' } },
        { name: 1 },
      ]
      const answers = await Promise.all(bodies.map((body) => call(TRUE, { message: 'other body', ...body })))

      expect(answers.filter(({ status, text }) => status < 400 && !text.includes('"error":{'))).toEqual([])
      expect(await done()).toHaveLength(before)
    },
  )

  test('an encoded header value, and one with white space around it, is understood', async () => {
    const before = (await done()).length
    const answers = await Promise.all([
      call({ ...TRUE, name: encoded('feedback') }, { message: 'encoded name' }),
      call({ ...TRUE, version: ` ${VERSION} ` }, { message: 'spaces around' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await done()).toHaveLength(before + 2)
  })

  test('a body that is not part of the protocol is refused, and nothing is stored', async () => {
    const before = (await done()).length
    const headers = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': 'feedback',
    }
    const inside =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"feedback","arguments":{"message":"x"}}}'
    const bodies = [
      '',
      'null',
      '[]',
      `[${inside}]`,
      `[${inside},${inside}]`,
      '{"jsonrpc":"1.0","id":1,"method":"tools/call"}',
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      inside.slice(0, -1),
      `\uFEFF${inside}`,
      `{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call","params":{"name":"feedback","arguments":{"message":"x"}}}`,
    ]
    const answers = await Promise.all(
      bodies.map((body) => outsideRequest(server, { method: 'POST', headers, body })),
    )
    const forms = await Promise.all(
      ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].map((type) =>
        outsideRequest(server, {
          method: 'POST',
          headers: { ...headers, 'content-type': type },
          body: inside,
        }),
      ),
    )

    expect(answers.map(({ status }) => status).filter((status) => status < 400 || status >= 500)).toEqual([])
    expect(forms.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
    expect(await done()).toHaveLength(before)
  })

  test('other methods, session ids and event ids change nothing', async () => {
    const answers = await Promise.all(
      ['GET', 'DELETE', 'PUT', 'PATCH'].map((method) =>
        outsideRequest(server, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            'mcp-session-id': 'somebody-else',
            'last-event-id': '1',
          },
        }),
      ),
    )

    expect(answers.map(({ status }) => status)).toEqual([405, 405, 405, 405])
  })
})
