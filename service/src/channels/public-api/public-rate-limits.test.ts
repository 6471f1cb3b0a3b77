import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>

beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

const ORIGIN = 'https://docs.example.com'
const ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

interface Asked {
  status: number
  headers: Headers
}

/** Sends requests until one is refused, at most `most`; returns how many passed, and the last answer. */
async function askUntilRefused(most: number, ask: (time: number) => Promise<Response>) {
  let last: Asked | undefined
  let passed = 0
  for (let time = 0; time < most; time += 1) {
    const response = await ask(time)
    await response.text()
    last = response
    if (response.status === 429) break
    passed += 1
  }
  return { passed, last }
}

const headersOf = (last: Asked | undefined) => ({
  retryAfter: Number(last?.headers.get('retry-after')),
  limit: last?.headers.get('ratelimit') ?? '',
  policy: last?.headers.get('ratelimit-policy') ?? '',
  exposed: last?.headers.get('access-control-expose-headers') ?? '',
})

verifies(
  [
    'rate-limits.chat-per-address',
    'rate-limits.headers',
    'rate-limits.headers-for-pages',
    'rate-limits.reader-address',
  ],
  'one address may ask 20 questions a minute, and IPv6 addresses of the same /64 share that limit',
  async () => {
    const base = await api.makeAskable([])
    const chat = (address: string) =>
      api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key, 'x-forwarded-for': address, origin: ORIGIN },
        body: { query: 'How?' },
      })
    const { passed, last } = await askUntilRefused(25, (time) => chat(`2001:db9:1:2::${time + 1}`))

    expect(passed).toBe(20)
    const told = headersOf(last)
    expect(told.policy).toBe('"chat-address";q=20;w=60')
    expect(told.limit).toMatch(/^"chat-address";r=0;t=\d+$/)
    expect(told.retryAfter).toBeGreaterThan(0)
    expect(told.retryAfter).toBeLessThanOrEqual(60)
    for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After']) expect(told.exposed).toContain(name)
    expect((await chat('2001:db9:1:3::1')).status).toBe(200)
  },
)

verifies(
  'rate-limits.chat-per-key',
  'a key may ask 60 questions a minute, from any number of addresses',
  async () => {
    const base = await api.makeAskable([])
    const { passed, last } = await askUntilRefused(70, (time) =>
      api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key, 'x-forwarded-for': `203.0.113.${time + 1}` },
        body: { query: 'How?' },
      }),
    )

    expect(passed).toBe(60)
    expect(headersOf(last).limit).toContain('"chat-key";r=0')
  },
)

verifies(
  ['rate-limits.search', 'rate-limits.feedback'],
  'a key may search 300 times a minute and give feedback 60 times, counted separately',
  async () => {
    const base = await api.makeAskable([])
    const headers = { 'x-client-key': base.key }
    const search = await askUntilRefused(310, () =>
      api.send(`/public/knowledge-bases/${base.id}/search`, { headers, body: { query: 'keys' } }),
    )
    expect(search.passed).toBe(300)
    const rating = await askUntilRefused(70, () =>
      api.send('/public/feedback', { headers, body: { message_id: ID, rating: 'up' } }),
    )
    expect(rating.passed).toBe(60)
    expect(headersOf(rating.last).policy).toBe('"feedback-key";q=60;w=60')
  },
  { tags: ['long'] },
)
