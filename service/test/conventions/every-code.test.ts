import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestService, type TestService } from '../start-service.ts'

interface Base {
  id: string
  workspace_id: string
  client_key: { id: string; key: string }
  widget: { id: string }
}

let citewell: TestService
let base: Base
let pair: { client_id: string; client_secret: string }

beforeAll(async () => {
  citewell = await startTestService({
    CITEWELL_PLAN: 'pro',
    CITEWELL_CAPTCHA_PROVIDER: 'altcha',
    CITEWELL_RATE_LIMITS: 'on',
    CITEWELL_RATE_LIMIT_FEEDBACK_PER_KEY: '1',
    CITEWELL_RATE_LIMIT_SEARCH_PER_KEY: '0',
  })
  base = await newBase('Acme docs')
  pair = await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/client-keys`, {
    name: 'Server',
    kind: 'secret',
  })
})
afterAll(() => citewell[Symbol.asyncDispose]())

const newBase = (name: string) => citewell.json<Base>('POST', '/api/v1/knowledge-bases', { name })
const ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

/** Sends a public request with the secret pair, or with the given headers, and checks the complete refusal. */
async function requestRefusal(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'x-client-id': pair.client_id, 'x-client-secret': pair.client_secret },
): Promise<{ code: RefusalCode; headers: Headers }> {
  const response = await fetch(`${citewell.address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const refusal = (await response.json()) as { code: RefusalCode; request_id: string }
  expect(response.status).toBe(REFUSALS[refusal.code].status)
  expect(refusal).toMatchObject({
    error: expect.stringMatching(/\w/),
    retryable: REFUSALS[refusal.code].retryable,
    request_id: response.headers.get('x-request-id'),
  })
  return { code: refusal.code, headers: response.headers }
}

const codeOf = async (...given: Parameters<typeof requestRefusal>) => (await requestRefusal(...given)).code
const managed = async (method: string, path: string, body?: unknown, token?: string) => {
  const response = await (token === undefined
    ? citewell.send(method, `/api/v1${path}`, body)
    : fetch(`${citewell.address}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }))
  const { code } = (await response.json()) as { code: RefusalCode }
  return [response.status, code]
}
const searchOf = ({ id }: { id: string }) => `/api/v1/public/knowledge-bases/${id}/search`

verifies(
  [
    'errors.bad-request',
    'errors.unauthenticated',
    'errors.not-found',
    'errors.unsupported-media-type',
    'errors.group-not-allowed',
    'errors.body',
    'errors.true-status',
    'errors.before-the-stream',
  ],
  'what is wrong with a request itself',
  async () => {
    const chat = `/api/v1/public/knowledge-bases/${base.id}/chat`
    expect(await codeOf('POST', chat, {})).toBe('BAD_REQUEST')
    expect(await codeOf('POST', chat, { query: 'x', widget_id: 'none' })).toBe('BAD_REQUEST')
    expect(await codeOf('POST', chat, { query: 'x' }, {})).toBe('UNAUTHENTICATED')
    expect(await codeOf('POST', chat, { query: 'x' }, { 'x-client-key': 'cw_pk_unknown' })).toBe(
      'UNAUTHENTICATED',
    )
    expect(await codeOf('POST', chat, 'text')).toBe('BAD_REQUEST')
    const asText = {
      'x-client-id': pair.client_id,
      'x-client-secret': pair.client_secret,
      'content-type': 'text/plain',
    }
    expect(await codeOf('POST', chat, '{}', asText)).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(await codeOf('POST', `/api/v1/public/threads/${ID}/chat`, { query: 'x' })).toBe('NOT_FOUND')
    expect(await codeOf('POST', searchOf(base), { query: 'x', group_ids: [ID] })).toBe('GROUP_NOT_ALLOWED')
    expect(await managed('GET', `/sources/${ID}`)).toEqual([404, 'NOT_FOUND'])
  },
)

verifies(
  ['errors.captcha-required', 'errors.captcha-failed'],
  'a public key needs a valid token if CAPTCHA is on',
  async () => {
    const asPage = { 'x-client-key': base.client_key.key }
    expect(await codeOf('POST', searchOf(base), { query: 'x' }, asPage)).toBe('CAPTCHA_REQUIRED')
    const spent = { ...asPage, 'x-captcha-token': 'not-a-token' }
    expect(await codeOf('POST', searchOf(base), { query: 'x' }, spent)).toBe('CAPTCHA_FAILED')
  },
)

verifies(
  [
    'errors.widget-disabled',
    'errors.origin-not-allowed',
    'errors.rate-limited',
    'rate-limits.settable',
    'rate-limits.headers',
  ],
  'a widget that is off, a page that is not named, and one request too many',
  async () => {
    await citewell.json('PATCH', `/api/v1/widgets/${base.widget.id}`, { enabled: false })
    const named = { query: 'x', widget_id: base.widget.id }
    expect(await codeOf('POST', searchOf(base), named)).toBe('WIDGET_DISABLED')
    await citewell.json('PATCH', `/api/v1/client-keys/${base.client_key.id}`, {
      allowed_origins: ['https://a.example.com'],
    })
    const fromElsewhere = { 'x-client-key': base.client_key.key, origin: 'https://b.example.com' }
    expect(await codeOf('POST', searchOf(base), { query: 'x' }, fromElsewhere)).toBe('ORIGIN_NOT_ALLOWED')

    const rate = () => requestRefusal('POST', '/api/v1/public/feedback', { message_id: ID, rating: 'up' })
    expect((await rate()).code).toBe('NOT_FOUND')
    const { code, headers } = await rate()
    expect(code).toBe('RATE_LIMITED')
    expect(headers.get('ratelimit-policy')).toBe('"feedback-key";q=1;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"feedback-key";r=0;t=\d+$/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    // 0 means no limit, so there are no headers about one.
    expect((await requestRefusal('POST', searchOf(base), {})).headers.has('ratelimit')).toBe(false)
  },
)

verifies(
  [
    'errors.knowledge-base-internal',
    'errors.knowledge-base-archived',
    'errors.confirmation-required',
    'errors.conflict',
    'errors.plan-required',
    'errors.project-limit-reached',
    'errors.forbidden',
  ],
  'what the state of a base, the plan or the token does not allow',
  async () => {
    const made = [
      await newBase('Second'),
      await newBase('Third'),
      await newBase('Fourth'),
      await newBase('Fifth'),
    ]
    expect(await managed('POST', '/knowledge-bases', { name: 'Sixth' })).toEqual([
      403,
      'PROJECT_LIMIT_REACHED',
    ])
    const [internal, archived, held] = made
    const keyOf = (of: Base | undefined) => ({ 'x-client-key': of?.client_key.key ?? '' })
    await citewell.json('PATCH', `/api/v1/knowledge-bases/${internal?.id}`, { type: 'internal' })
    const suggested = (of: Base | undefined) => `/api/v1/public/knowledge-bases/${of?.id}/suggested-questions`
    expect(await codeOf('GET', suggested(internal), undefined, keyOf(internal))).toBe(
      'KNOWLEDGE_BASE_INTERNAL',
    )

    await citewell.json('POST', `/api/v1/knowledge-bases/${archived?.id}/archive`)
    expect(await codeOf('GET', suggested(archived), undefined, keyOf(archived))).toBe(
      'KNOWLEDGE_BASE_ARCHIVED',
    )
    expect(await managed('POST', `/knowledge-bases/${archived?.id}/archive`)).toEqual([409, 'CONFLICT'])
    const server = { server_name: 'taken-name', sign_in_type: 'api_key' }
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, server)
    expect(await managed('POST', `/knowledge-bases/${held?.id}/mcp-servers`, server)).toEqual([
      409,
      'CONFLICT',
    ])

    await citewell.json('POST', `/api/v1/knowledge-bases/${held?.id}/sources`, {
      type: 'push',
      name: 'Pushed',
      config: {},
    })
    expect(await managed('DELETE', `/knowledge-bases/${held?.id}`)).toEqual([409, 'CONFIRMATION_REQUIRED'])
    expect(await managed('DELETE', `/knowledge-bases/${held?.id}`, { confirm: 'Thirdd' })).toEqual([
      409,
      'CONFIRMATION_REQUIRED',
    ])
    expect(await managed('POST', `/knowledge-bases/${base.id}/source-groups`, { name: 'A' })).toEqual([
      403,
      'PLAN_REQUIRED',
    ])

    const { token } = await citewell.json<{ token: string }>('POST', '/api/v1/access-tokens', {
      name: 'r',
      scopes: ['read'],
    })
    expect(await managed('POST', '/knowledge-bases', { name: 'Mine' }, token)).toEqual([403, 'FORBIDDEN'])
  },
)
