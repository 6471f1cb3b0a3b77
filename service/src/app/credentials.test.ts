import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import type { Endpoint } from '@citewell/contract/endpoint'
import type { CaptchaChallenge } from '@citewell/contract/captcha'
import { verifies } from '@citewell/spec/verifies'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { afterAll, beforeAll, expect } from 'vitest'
import { OWNER_TOKEN, startTestService, type TestService } from '../../test/start-service.ts'

let citewell: TestService
let base: { id: string; client_key: { key: string } }

beforeAll(async () => {
  citewell = await startTestService({ CITEWELL_CAPTCHA_PROVIDER: 'altcha' })
  base = await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
})
afterAll(() => citewell[Symbol.asyncDispose]())

const endpoints = ALL_ENDPOINTS
const SOME_ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

async function ask({ method, path }: Endpoint, headers: Record<string, string>) {
  const address = path
    .replace('{knowledgeBaseId}', base.id)
    .replaceAll(/\{\w+\}/g, SOME_ID)
    .replace(/captcha-challenge$/, 'captcha-challenge?action=chat')
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const response = await citewell.service.fetch(
    new Request(`${citewell.address}${address}`, {
      method,
      headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: '{}' }),
    }),
  )
  const text = await response.text()
  return { status: response.status, code: /"code":"?(\w+)/.exec(text)?.[1] }
}

verifies(
  ['authentication.public-api-takes-client-keys', 'authentication.management-takes-access-tokens'],
  'every public endpoint takes a client key alone, every management endpoint an access token alone',
  async () => {
    const asBearer = { authorization: `Bearer ${OWNER_TOKEN}` }
    const asKey = { 'x-client-key': base.client_key.key }
    const ofKind = (kind: Endpoint['caller']) => endpoints.filter(({ caller }) => caller === kind)
    expect(ofKind('public-key').length).toBeGreaterThan(8)
    expect(ofKind('access-token').length).toBeGreaterThan(40)

    for (const endpoint of ofKind('public-key')) {
      for (const headers of [{}, asBearer])
        expect([endpoint.operationId, (await ask(endpoint, headers)).status]).toEqual([
          endpoint.operationId,
          401,
        ])
      expect([endpoint.operationId, (await ask(endpoint, asKey)).status]).not.toContain(401)
    }
    for (const endpoint of ofKind('access-token')) {
      for (const headers of [{}, asKey, { authorization: `Bearer ${base.client_key.key}` }])
        expect([endpoint.operationId, (await ask(endpoint, headers)).status]).toEqual([
          endpoint.operationId,
          401,
        ])
    }
  },
  60_000,
)

verifies(
  ['captcha.form-deflect', 'captcha.codes'],
  'without a token each gated endpoint says that one is required, and no other endpoint does',
  async () => {
    const asKey = { 'x-client-key': base.client_key.key }
    const requiring: string[] = []
    for (const endpoint of endpoints.filter(({ caller }) => caller === 'public-key')) {
      const { status, code } = await ask(endpoint, asKey)
      if (status === 403 && code === 'CAPTCHA_REQUIRED')
        requiring.push(endpoint.path.replace('/api/v1/public/', ''))
    }

    expect(requiring.toSorted()).toEqual(
      [
        'feedback',
        'knowledge-bases/{knowledgeBaseId}/chat',
        'knowledge-bases/{knowledgeBaseId}/form-deflect',
        'knowledge-bases/{knowledgeBaseId}/search',
        'openai/chat/completions',
        'threads/{threadId}/chat',
      ].toSorted(),
    )
  },
)

verifies(
  ['captcha.self-hosted', 'captcha.header', 'widgets.config.captcha-site-key'],
  'a page that reads its configuration, fetches a challenge there and does the work may ask',
  async () => {
    const asKey = { 'x-client-key': base.client_key.key, origin: 'https://docs.example.com' }
    const get = async (path: string) => {
      const response = await citewell.service.fetch(
        new Request(`${citewell.address}${path}`, { headers: asKey }),
      )
      expect(response.status).toBe(200)
      return (await response.json()) as Record<string, unknown>
    }
    const config = await get(`/api/v1/public/knowledge-bases/${base.id}/widget-config`)
    expect(config).toMatchObject({ captcha_required: true, captcha_provider: 'altcha' })
    const challenge = (await get(`${String(config['captcha_site_key'])}?action=search`)) as CaptchaChallenge
    const solution = await solveChallenge({ challenge, deriveKey })
    const search = () =>
      citewell.service.fetch(
        new Request(`${citewell.address}/api/v1/public/knowledge-bases/${base.id}/search`, {
          method: 'POST',
          headers: {
            ...asKey,
            'content-type': 'application/json',
            'X-Captcha-Token': btoa(JSON.stringify({ challenge, solution })),
          },
          body: JSON.stringify({ query: 'keys' }),
        }),
      )

    expect((await search()).status).toBe(200)
    expect((await search()).status).toBe(403)
  },
)
