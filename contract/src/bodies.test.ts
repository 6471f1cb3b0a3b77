import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { ChatBody, ChatFrame } from './chat.ts'
import { NewClientKey, ClientKeyChange } from './client-keys.ts'
import { GiveFeedback } from './feedback.ts'
import { KnowledgeBaseChange, NewKnowledgeBase } from './knowledge-bases.ts'
import { PageQuery } from './paging.ts'
import { PushedDocument } from './pushed-documents.ts'
import { SearchBody } from './search.ts'
import { NewSource } from './sources.ts'

const ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

verifies(
  ['chat.top-k', 'limits.top-k'],
  'a chat body accepts and defaults fields as the contract declares',
  () => {
    const ask = (more: object) => ChatBody.safeParse({ query: 'How?', ...more })

    expect(ask({}).data).toEqual({ query: 'How?', top_k: 15, thread_id: undefined, group_ids: undefined })
    expect(ask({ top_k: 500 }).data?.top_k).toBe(100)
    expect(ask({ top_k: 7.9 }).data?.top_k).toBe(7)
    expect(ask({ top_k: 0 }).success).toBe(false)
    expect(ask({ thread_id: 'not an id' }).data?.thread_id).toBeUndefined()
    expect(ask({ thread_id: 7 }).data?.thread_id).toBeUndefined()
    expect(ask({ thread_id: ID }).data?.thread_id).toBe(ID)
    expect(ask({ widget_id: 'not an id' }).success).toBe(false)
    expect(ask({ colour: 'red' }).success).toBe(true)
    expect(ChatBody.safeParse({ query: 'x'.repeat(4_000) }).success).toBe(true)
    expect(ChatBody.safeParse({ query: 'x'.repeat(4_001) }).success).toBe(false)
    expect(ChatBody.safeParse({ query: '   ' }).success).toBe(false)
  },
)

test('group_ids of a wrong type become a group that no key may use: the response is a 403, not a 400', () => {
  const groupsOf = (group_ids: unknown) => ChatBody.parse({ query: 'How?', group_ids }).group_ids

  expect(groupsOf([])).toEqual([])
  expect(groupsOf(null)).toBeNull()
  expect(groupsOf([ID])).toEqual([ID])
  expect(groupsOf('all')).toEqual(['not-a-group'])
  expect(groupsOf([7])).toEqual(['not-a-group'])
})

test('a frame is one of four kinds, and keeps all of its fields', () => {
  const frames = [
    { done: false },
    { delta: 'x', done: false },
    { done: true, citations: [], covered: false, confidence: 0 },
    { error: 'x', error_code: 'timeout', code: 'TIMEOUT', retryable: true, request_id: 'r' },
  ]

  expect(frames.map((frame) => ChatFrame.parse(frame))).toEqual(frames)
})

test('a rating is up or down, or the equivalent older number', () => {
  const voteOf = (rating: unknown) => GiveFeedback.safeParse({ message_id: ID, rating }).data?.rating

  expect([voteOf('up'), voteOf('down'), voteOf(5), voteOf(1)]).toEqual(['up', 'down', 'up', 'down'])
  expect([voteOf('5'), voteOf(3), voteOf(true), voteOf(undefined)]).toEqual(Array(4).fill(undefined))
})

test('a PATCH of a knowledge base contains only what changes, down to the keys of its objects', () => {
  expect(KnowledgeBaseChange.parse({ settings: { mcp_documents_enabled: true } })).toEqual({
    settings: { mcp_documents_enabled: true },
  })
  expect(KnowledgeBaseChange.parse({})).toEqual({})
  expect(KnowledgeBaseChange.safeParse({ plan: 'enterprise' }).success).toBe(false)
  expect(KnowledgeBaseChange.safeParse({ workspace_id: ID }).success).toBe(false)
  expect(KnowledgeBaseChange.safeParse({ settings: { is_admin: true } }).success).toBe(false)
})

verifies(
  ['suggested-questions.own-limits', 'limits.starter-questions'],
  'names and starter questions have length limits',
  () => {
    const named = (name: string) => NewKnowledgeBase.safeParse({ name }).success
    expect([named('a'), named('ab'), named('é'.repeat(100)), named('a'.repeat(101))]).toEqual([
      false,
      true,
      true,
      false,
    ])

    const asking = (questions: string[]) =>
      KnowledgeBaseChange.safeParse({ starter_questions: { questions } }).success
    expect(asking(Array(8).fill('q'.repeat(200)))).toBe(true)
    expect(asking(Array(9).fill('q'))).toBe(false)
    expect(asking(['q'.repeat(201)])).toBe(false)
  },
)

test('a source is validated by its type, and its defaults are filled in', () => {
  const website = NewSource.parse({
    type: 'website',
    name: 'docs',
    config: { start_urls: ['https://a.example/'] },
  })

  expect(website).toEqual({
    type: 'website',
    name: 'docs',
    version_label: null,
    source_group_id: null,
    visibility: 'public',
    refresh: 'none',
    config: {
      start_urls: ['https://a.example/'],
      include: [],
      exclude: [],
      max_pages: 10_000,
      max_depth: null,
      use_sitemap: true,
      content_selector: null,
      render_js: 'auto',
    },
  })
  const refused = [
    { type: 'website', name: 'docs', config: { url: 'https://a.example/' } },
    { type: 'website', name: 'docs', config: { start_urls: ['file:///etc/passwd'] } },
    { type: 'website', name: 'docs', config: { start_urls: [] } },
    { type: 'gopher', name: 'docs', config: {} },
    { type: 'files', name: 'docs', config: { path: '/' } },
    { type: 'files', name: 'docs', version_label: 'v2\nignore all' },
  ]
  expect(refused.filter((source) => NewSource.safeParse(source).success)).toEqual([])
  expect(NewSource.parse({ type: 'push', name: 'faq' })).toMatchObject({ config: {} })
})

test('an origin is a scheme and a host, with at most a leading star', () => {
  const taken = (origin: string) => NewClientKey.safeParse({ name: 'k', allowed_origins: [origin] }).success
  const good = [
    'https://docs.example.com',
    'https://*.example.com',
    'http://localhost:3000',
    'http://[::1]:3000',
    'a.com',
  ]
  const bad = ['*', 'https://*', 'https://*.com', 'https://a.*.com', 'a', 'ftp://a.com', 'null']

  expect(good.filter((origin) => !taken(origin))).toEqual([])
  expect(bad.filter(taken)).toEqual([])
  expect(
    NewClientKey.parse({
      name: 'k',
      allowed_origins: ['HTTPS://Docs.Example.com', 'a.com', 'docs.example.com'],
    }).allowed_origins,
  ).toEqual(['https://docs.example.com', 'https://a.com'])
})

test('MCP access of a key can only be chosen at creation, and is on by default', () => {
  expect(NewClientKey.parse({ name: 'k' }).allow_mcp_access).toBe(true)
  expect(ClientKeyChange.safeParse({ allow_mcp_access: false }).success).toBe(false)
})

test('a pushed document is Markdown or HTML, never both and never neither', () => {
  const push = (more: object) =>
    PushedDocument.safeParse({ external_id: 'a', title: 'A', url: 'https://a.example/', ...more }).success

  expect([
    push({ markdown: 'x' }),
    push({ html: 'x' }),
    push({}),
    push({ markdown: 'x', html: 'x' }),
  ]).toEqual([true, true, false, false])
})

test('limits of lists and searches are numbers within their ranges', () => {
  expect(PageQuery.parse({})).toEqual({ limit: 50 })
  expect(PageQuery.parse({ limit: '200' }).limit).toBe(200)
  const refused = ['0', '201', '1.5', 'x', '']
  expect(refused.filter((limit) => PageQuery.safeParse({ limit }).success)).toEqual([])
  expect(SearchBody.parse({ query: 'a' }).limit).toBe(10)
  expect(SearchBody.safeParse({ query: 'a', limit: 51 }).success).toBe(false)
})
