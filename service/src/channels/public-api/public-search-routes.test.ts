import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeGroup } from '../../../test/make-records.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newTicketId } from '../../kernel/ids.ts'

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

const long = `Signing keys are **rotated** every day. ${'Old signing keys stay valid for one hour after that. '.repeat(100)}`
const PAGES = [
  { title: 'Rotating signing keys', text: long },
  ...Array.from({ length: 7 }, (_, place) => ({
    title: `Signing keys of region ${place}`,
    text: `Region ${place} has signing keys.`,
  })),
  {
    title: 'Signing keys of the board',
    text: 'The signing keys of the board: CANARY.',
    visibility: 'restricted' as const,
  },
]

const post = (path: string, key: string, body: unknown) =>
  api.send(path, { headers: { 'x-client-key': key }, body })

verifies(
  [
    'related.up-to-five',
    'related.snippet',
    'related.articles',
    'related.powered-by',
    'related.no-restricted',
  ],
  'related returns up to five public pages, each once, with snippets of at most 200 characters',
  async () => {
    const base = await api.makeAskable(PAGES)
    const response = await post(`/public/knowledge-bases/${base.id}/related`, base.key, {
      query: 'rotate signing keys',
    })

    const body = (await response.json()) as { articles: Record<string, string>[]; count: number }
    expect(body).toMatchObject({
      count: 5,
      powered_by: 'Citewell',
      powered_by_url: 'https://github.com/citewell/citewell',
    })
    expect(body.articles).toHaveLength(5)
    expect(new Set(body.articles.map((article) => article['url'])).size).toBe(5)
    const [best] = body.articles
    expect(Object.keys(best ?? {})).toEqual(['url', 'title', 'snippet'])
    expect(best?.['title']).toBe('Rotating signing keys')
    expect(best?.['snippet']).toMatch(/^Signing keys are rotated every day\. Old .*…$/)
    expect(Array.from(best?.['snippet'] ?? '').length).toBeLessThanOrEqual(200)
    expect(JSON.stringify(body)).not.toContain('board')
  },
)

verifies(
  ['related.groups-of-key', 'related.no-group-ids'],
  'related uses only the groups of the key, and does not accept group_ids',
  async () => {
    const base = await api.makeAskable([PAGES[0] ?? { title: '', text: '' }])
    const group = await makeGroup(storage.db, base.id)
    const related = async () => {
      const body = { query: 'signing keys', group_ids: ['not-a-group'] }
      const response = await post(`/public/knowledge-bases/${base.id}/related`, base.key, body)
      return ((await response.json()) as { count: number }).count
    }
    expect(await related()).toBe(1)
    await storage.db
      .updateTable('client_keys')
      .set({ allowed_source_group_ids: [group] })
      .where('id', '=', base.keyId)
      .execute()
    expect(await related()).toBe(0)
  },
)

verifies(
  ['search.fields', 'search.no-restricted'],
  'search returns pages with their best passage, as many as requested, and refuses values out of range',
  async () => {
    const base = await api.makeAskable(PAGES)
    const search = (body: unknown) => post(`/public/knowledge-bases/${base.id}/search`, base.key, body)

    const body = (await (await search({ query: 'signing keys', limit: 3 })).json()) as {
      results: unknown[]
      count: number
    }
    expect(body.count).toBe(3)
    expect(body.results[0]).toEqual({
      document_id: expect.any(String),
      chunk_id: expect.any(String),
      title: expect.any(String),
      url: expect.stringContaining('https://docs.example.com/'),
      heading_path: expect.any(Array),
      snippet: expect.any(String),
      score: expect.any(Number),
      version_label: null,
    })
    const all = JSON.stringify(await (await search({ query: 'signing keys of the board', limit: 50 })).json())
    expect(all).not.toContain('board')
    for (const wrong of [
      { query: '' },
      { query: 'x'.repeat(1_001) },
      { query: 'a', limit: 51 },
      { query: 'a', limit: 0 },
    ]) {
      expect((await search(wrong)).status).toBe(400)
    }
  },
)

verifies(
  ['suggested-questions.generated', 'suggested-questions.answer'],
  'suggested questions come from the public pages of the base',
  async () => {
    const base = await api.makeAskable([PAGES[0] ?? { title: '', text: '' }])
    const response = await api.send(`/public/knowledge-bases/${base.id}/suggested-questions`, {
      headers: { 'x-client-key': base.key },
    })
    expect(await response.json()).toEqual({ questions: ['How do I rotate signing keys?'] })
  },
)

verifies(
  [
    'feedback.rating',
    'feedback.older-numbers',
    'feedback.record',
    'feedback.comment-optional',
    'feedback.withdraw',
    'feedback.bad-request',
  ],
  'an answer is rated, rated again, and the rating withdrawn; older clients send 5 and 1',
  async () => {
    const [base, other] = [await api.makeAskable(PAGES), await api.makeAskable([])]
    const answered = await post(`/public/knowledge-bases/${base.id}/chat`, base.key, {
      query: 'When are signing keys rotated?',
    })
    const message_id = (await framesOf(answered)).at(-1)?.['message_id']
    const rate = (body: unknown, key = base.key) => post('/public/feedback', key, body)

    const first = await rate({ message_id, rating: 5, comment: 'Exactly.' })
    expect(first.status).toBe(201)
    const record = (await first.json()) as Record<string, unknown>
    expect(record).toEqual({
      id: expect.any(String),
      workspace_id: base.workspaceId,
      message_id,
      vote: 'up',
      comment: 'Exactly.',
      source: 'api',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
    })
    expect(await (await rate({ message_id, rating: 1 })).json()).toMatchObject({
      id: record['id'],
      vote: 'down',
      comment: null,
    })

    expect((await rate({ message_id, rating: 3 })).status).toBe(400)
    expect((await rate({ message_id: 'it', rating: 'up' })).status).toBe(400)
    expect((await rate({ message_id: newTicketId(), rating: 'up' })).status).toBe(404)
    expect((await rate({ message_id, rating: 'up' }, other.key)).status).toBe(403)

    const withdraw = (id: unknown, key = base.key) =>
      api.send(`/public/feedback/${String(id)}`, { method: 'DELETE', headers: { 'x-client-key': key } })
    expect((await withdraw(message_id, other.key)).status).toBe(403)
    expect((await withdraw('it')).status).toBe(400)
    expect((await withdraw(newTicketId())).status).toBe(404)
    const withdrawn = await withdraw(message_id)
    expect(withdrawn.status).toBe(204)
    expect(await withdrawn.text()).toBe('')
  },
)
