import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestRooms } from '../test-rooms.ts'
import { startTestService, type TestService } from '../start-service.ts'
import { openTestStorage, type TestStorage } from '../test-storage.ts'

interface Base {
  id: string
  description: string | null
  client_key: { id: string; key: string }
}

let storage: TestStorage
let one: TestService
let other: TestService
let base: Base

// Two services share nothing except one storage: on a server database they behave like two processes.
beforeAll(async () => {
  storage = await openTestStorage()
  const settings = { CITEWELL_RATE_LIMITS: 'on', CITEWELL_RATE_LIMIT_CHAT_PER_ADDRESS: '0' }
  one = await startTestService(settings, { storage })
  other = await startTestService(settings, { storage })
  base = await one.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const below = `/api/v1/knowledge-bases/${base.id}`
  const source = await one.json<{ id: string }>('POST', `${below}/sources`, {
    type: 'push',
    name: 'P',
    config: {},
  })
  const document = {
    external_id: 'a',
    title: 'Keys',
    url: 'https://docs.example.com/a',
    markdown: 'Keys rotate daily.',
  }
  await one.json('PUT', `/api/v1/sources/${source.id}/documents`, { documents: [document] })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
  await storage.close()
})

const ask = (service: TestService, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.address}/api/v1/public/knowledge-bases/${base.id}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-client-key': base.client_key.key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

verifies(
  'running.settings-everywhere',
  'a change on one process applies to the next request on the other: settings, origins, visibility, a member',
  async () => {
    await one.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, {
      description: 'Changed here',
      starter_questions: { mode: 'own', questions: ['How do keys rotate?'] },
    })
    expect(await other.json('GET', `/api/v1/knowledge-bases/${base.id}`)).toMatchObject({
      description: 'Changed here',
    })
    expect(await (await ask(other, '/suggested-questions')).json()).toEqual({
      questions: ['How do keys rotate?'],
    })

    const search = async () =>
      ((await (await ask(other, '/search', { query: 'keys' })).json()) as { count: number }).count
    expect(await search()).toBe(1)
    const page = await one.json<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}/documents`,
    )
    await one.json('PATCH', `/api/v1/documents/${page.data[0]?.id}`, { visibility: 'restricted' })
    expect(await search()).toBe(0)

    await one.json('PATCH', `/api/v1/client-keys/${base.client_key.id}`, {
      allowed_origins: ['https://a.example.com'],
    })
    const refused = await ask(other, '/search', { query: 'keys' }, { origin: 'https://b.example.com' })
    expect(refused.status).toBe(403)

    const made = await one.json<{ id: string; token: string }>('POST', '/api/v1/access-tokens', {
      name: 't',
      scopes: ['read'],
    })
    const me = () =>
      fetch(`${other.address}/api/v1/me`, { headers: { authorization: `Bearer ${made.token}` } })
    expect((await me()).status).toBe(200)
    await one.json('DELETE', `/api/v1/access-tokens/${made.id}`)
    expect((await me()).status).toBe(401)
  },
)

test.skipIf(process.env['DATABASE_URL'] === undefined)(
  'of 200 concurrent questions on two processes exactly 60 are answered',
  async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, place) => {
        const response = await ask(place % 2 === 0 ? one : other, '/chat', { query: 'How do keys rotate?' })
        await response.text()
        const retryAfter = Number(response.headers.get('retry-after') ?? 1)
        return { status: response.status, isInWindow: retryAfter >= 1 && retryAfter <= 60 }
      }),
    )

    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(140)
    expect(statuses.every(({ isInWindow }) => isInWindow)).toBe(true)
  },
  60_000,
)

verifies(
  'running.clock',
  'a token expires by the clock, and is valid again after the clock was corrected',
  async () => {
    await using rooms = await openTestRooms()
    const caller = await rooms.joinWorkspace()
    const expires = new Date(rooms.clock.time.getTime() + 3_600_000)
    const { token } = await rooms.accessTokens.create(caller, {
      name: 'script',
      scopes: ['read'],
      expiresAt: expires,
    })
    const isValid = () =>
      rooms.accessTokens.authenticate(token).then(
        () => true,
        () => false,
      )
    const at = async (hours: number) => {
      rooms.clock.time = new Date(expires.getTime() + hours * 3_600_000)
      return await isValid()
    }

    expect([await at(-1), await at(24 * 31), await at(-2), await at(0)]).toEqual([true, false, true, false])
  },
)
