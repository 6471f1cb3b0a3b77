import { request } from 'node:http'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initializeRequest } from '../../../test/initialize-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { isMcpOriginAllowed } from './check-origin.ts'

let citewell: TestService
let key: string

beforeAll(async () => {
  citewell = await startTestService()
  const base = await citewell.json<{ client_key: { key: string } }>('POST', '/api/v1/knowledge-bases', {
    name: 'Rebinding',
  })
  key = base.client_key.key
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** With an arbitrary Host header, which neither a page in a browser nor fetch can send. */
const ask = async (headers: Record<string, string>, method = 'POST', path = '/mcp') =>
  await new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(citewell.address)
    const sent = request({
      hostname,
      port,
      path,
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
    })
    sent.on('response', (answer) => {
      let body = ''
      answer.on('data', (part: Buffer) => (body += part.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? initializeRequest().body : undefined)
  })

const JSON_BODY = initializeRequest().headers

const FOREIGN = [
  'https://evil.example',
  'http://evil.example',
  'null',
  'file://',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example:3000',
  'http://localhost@evil.example',
  'http://evil.example#localhost',
  'http://192.168.0.10',
  'http://10.0.0.1',
  'http://169.254.169.254',
  'http://0.0.0.0',
  'http://127.0.0.2',
  'http://[::ffff:127.0.0.1]',
  'http://localhost.',
  'http://localhost/path',
  'http://localhost http://evil.example',
  'chrome-extension://abcdefghijklmnop',
  'vscode-webview://1',
  'javascript:alert(1)',
  'http://xn--lcalhost-0nf.example',
  '',
]

describe('DNS rebinding', () => {
  verifies('mcp-attacks.rebinding', 'pages of other sites are refused by their origin', async () => {
    const answers = await Promise.all(FOREIGN.map((origin) => ask({ ...JSON_BODY, origin })))
    const preflights = await Promise.all(
      FOREIGN.map((origin) => ask({ origin, 'access-control-request-method': 'POST' }, 'OPTIONS')),
    )

    expect(answers.map(({ status }) => status)).toEqual(FOREIGN.map(() => 403))
    expect(preflights.map(({ status }) => status)).toEqual(FOREIGN.map(() => 403))
    expect(
      [...answers, ...preflights].filter(
        ({ headers }) => headers['access-control-allow-origin'] !== undefined,
      ),
    ).toEqual([])
  })

  verifies('mcp-attacks.rebinding', 'host names that resolve to a loopback address are refused', async () => {
    const { port } = new URL(citewell.address)
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `evil.localhost.example:${port}`,
      '192.168.0.10',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
      'evil.example@localhost',
    ]
    const answers = await Promise.all(hosts.map((host) => ask({ ...JSON_BODY, host })))
    const own = await Promise.all(
      [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`].map((host) =>
        ask({ ...JSON_BODY, host }),
      ),
    )

    expect(answers.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('requests without an origin, and pages on the same machine, are served', async () => {
    const answers = await Promise.all([
      ask(JSON_BODY),
      ask({ ...JSON_BODY, origin: citewell.address }),
      ask({ ...JSON_BODY, origin: 'http://localhost:6274' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[2]?.headers['access-control-allow-origin']).toBe('http://localhost:6274')
    expect(answers[2]?.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answers[2]?.headers['vary']).toContain('Origin')
  })

  test('the refusal is the same whether or not a server of that name exists', async () => {
    const [there, notThere] = await Promise.all([
      ask({ ...JSON_BODY, origin: 'https://evil.example' }),
      ask({ ...JSON_BODY, origin: 'https://evil.example' }, 'POST', '/mcp/nothing-here'),
    ])

    expect([there?.status, notThere?.status]).toEqual([403, 403])
    expect(there?.body.replaceAll(/"request_id":"[^"]*"/g, '')).toBe(
      notThere?.body.replaceAll(/"request_id":"[^"]*"/g, ''),
    )
  })
})

test('an allowed origin is compared exactly', () => {
  const rule = { publicUrl: 'https://docs.example.com', allowedOrigins: ['https://claude.ai'] }
  const table: [string, boolean][] = [
    ['https://docs.example.com', true],
    ['https://claude.ai', true],
    ['https://claude.ai.evil.example', false],
    ['https://evilclaude.ai', false],
    ['https://sub.claude.ai', false],
    ['http://claude.ai', false],
    ['https://claude.ai:8443', false],
    ['https://claude.ai.', false],
    ['https://cIaude.ai', false],
    ['https://user@claude.ai', false],
    ['http://docs.example.com', false],
    ['https://docs.example.com.evil.example', false],
    ['https://docs.example.com:444', false],
    ['https://docs.example.com/', false],
    ['null', false],
  ]

  expect(table.map(([origin]) => [origin, isMcpOriginAllowed(origin, rule)])).toEqual(table)
})
