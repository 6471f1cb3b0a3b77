import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openChatClient } from '../../../test/chat-socket-client.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

const query = 'When are signing keys rotated?'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<typeof api.makeAskable>>

beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage, limits: { suggestedPerKey: 2, relatedPerKey: 1, searchPerKey: 100 } })
  base = await api.makeAskable(
    Array.from({ length: 12 }, (_, place) => ({
      title: `Signing keys of region ${place}`,
      text: `Region ${place} has its signing keys rotated every day at midnight.`,
    })),
  )
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

const post = (path: string, body: unknown, of: { key: string } = base) =>
  api.send(path, { headers: { 'x-client-key': of.key }, body })

const search = async (body: unknown) => {
  const response = await post(`/public/knowledge-bases/${base.id}/search`, body)
  const said = (await response.json()) as { results?: unknown[]; count?: number; code?: string }
  return { status: response.status, ...said }
}

verifies(
  ['search.query-limit', 'search.limit', 'search.answer', 'limits.search-query'],
  'a query has 1 to 1,000 characters and returns 10 pages by default and 50 at most; other values are refused',
  async () => {
    const standard = await search({ query: 'signing keys' })
    expect(standard).toEqual({
      status: 200,
      results: expect.any(Array),
      count: 10,
      powered_by: 'Citewell',
      powered_by_url: expect.stringMatching(/^https:/),
    })
    expect(standard.results).toHaveLength(10)
    expect(await search({ query: 'signing keys', limit: 1 })).toMatchObject({ count: 1 })
    expect(await search({ query: 'signing keys', limit: 50 })).toMatchObject({ count: 12 })
    for (const limit of [0, 51, 1.5, '10', -1]) {
      expect(await search({ query: 'signing keys', limit })).toMatchObject({
        status: 400,
        code: 'BAD_REQUEST',
      })
    }
    const lengths: [string, number][] = [
      ['x'.repeat(1_000), 200],
      ['🔑'.repeat(1_000), 200],
      ['x'.repeat(1_001), 400],
      ['🔑'.repeat(1_001), 400],
      ['x', 200],
      ['', 400],
    ]
    for (const [asked, status] of lengths) expect((await search({ query: asked })).status).toBe(status)
  },
)

verifies(
  ['related.query-required', 'suggested-questions.limit-of-its-own', 'traps.related-without-captcha'],
  'related requires a query; suggested questions, related pages and search have separate limits',
  async () => {
    const related = `/public/knowledge-bases/${base.id}/related`
    const first = await post(related, { query: 'signing keys' })
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toBe('"related-key";q=1;w=60')
    expect((await post(related, {})).status).toBe(429)
    const other = await api.makeAskable([])
    expect((await post(`/public/knowledge-bases/${other.id}/related`, {}, other)).status).toBe(400)

    const offer = () =>
      api.send(`/public/knowledge-bases/${base.id}/suggested-questions`, {
        headers: { 'x-client-key': base.key },
      })
    expect([(await offer()).status, (await offer()).status, (await offer()).status]).toEqual([200, 200, 429])
    expect((await search({ query: 'signing keys' })).status).toBe(200)
  },
)

verifies(
  ['feedback.message-id-everywhere', 'feedback.source', 'feedback.parallel'],
  'answers of the stream, the socket and a form can be rated; a hundred parallel ratings leave one',
  async () => {
    const fresh = await api.makeAskable([
      { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' },
    ])
    const streamed = await framesOf(await post(`/public/knowledge-bases/${fresh.id}/chat`, { query }, fresh))
    using client = await openChatClient(api.address, fresh.id)
    await client.signIn(fresh.key)
    client.send({ type: 'chat', id: 'q1', query })
    const form = await post(`/public/knowledge-bases/${fresh.id}/form-deflect`, { body: query }, fresh)
    const answered: [unknown, string][] = [
      [streamed.at(-1)?.['message_id'], 'api'],
      [(await client.end('q1'))['message_id'], 'api'],
      [((await form.json()) as Record<string, unknown>)['message_id'], 'form_deflector'],
    ]
    await using busy = await startPublicApi({ storage, limits: { feedbackPerKey: 0 } })
    for (const [message_id, source] of answered) {
      const rate = (rating: 'up' | 'down') =>
        busy.send('/public/feedback', {
          headers: { 'x-client-key': fresh.key },
          body: { message_id, rating },
        })
      const given = await Promise.all(
        Array.from({ length: 100 }, (_, place) => rate(place % 2 === 0 ? 'up' : 'down')),
      )
      expect(new Set(given.map(({ status }) => status))).toEqual(new Set([201]))
      const kept = await storage.db
        .selectFrom('feedback')
        .select(['source'])
        .where('message_id', '=', String(message_id))
        .execute()
      expect(kept).toEqual([{ source }])
    }
  },
)

verifies('feedback.none-without-storage', 'with zero retention no surface returns a message_id', async () => {
  const silent = await api.makeAskable(
    [{ title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }],
    { workspace: { zero_data_retention: true } },
  )
  const streamed = await (await post(`/public/knowledge-bases/${silent.id}/chat`, { query }, silent)).text()
  const form = await post(`/public/knowledge-bases/${silent.id}/form-deflect`, { body: query }, silent)
  const whole = await post('/public/openai/chat/completions', {}, silent)
  expect(whole.status).toBe(400)
  const completion = await post(
    '/public/openai/chat/completions',
    { model: silent.id, messages: [{ role: 'user', content: query }] },
    silent,
  )
  using client = await openChatClient(api.address, silent.id)
  await client.signIn(silent.key)
  client.send({ type: 'chat', id: 'q1', query })
  const said = [streamed, await form.text(), await completion.text(), JSON.stringify(await client.end('q1'))]
  for (const text of said) {
    expect(text).toContain('midnight')
    expect(text).not.toMatch(/message_id|thread_id|conversation_id/)
  }
})
