import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChatClient } from '../../../test/chat-socket-client.ts'
import { fakeLlm, startFakeLlm, type FakeBehaviour, type FakeLlm } from '../../../test/fake-llm.ts'
import { makeGroup } from '../../../test/make-records.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'

const PAGES = [
  {
    title: 'Rotating signing keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
  { title: 'Storing signing keys', text: 'Signing keys are stored in the vault.' },
]
const query = 'When are signing keys rotated?'
const ANSWER = ['Signing keys are rotated every day ', 'at midnight [1].']

let storage: TestStorage
let llm: FakeLlm
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<typeof api.makeAskable>>

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(fakeLlm.says(...ANSWER))
  api = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: { chatPerAddress: 0, chatPerKey: 0 } })
  base = await api.makeAskable(PAGES)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

type Of = { id: string; key: string }

const chat = async (body: Record<string, unknown>, of: Of = base, headers: Record<string, string> = {}) =>
  await api.send(`/public/knowledge-bases/${of.id}/chat`, {
    headers: { 'x-client-key': of.key, ...headers },
    body: { query, ...body },
  })

const lastOf = async (response: Response) => (await framesOf(response)).at(-1) ?? {}

const refusalOf = async (response: Response) => {
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}

const deltasOf = (frames: Record<string, unknown>[]) =>
  frames.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('')

const traceOf = async (messageId: unknown) => {
  const row = await storage.db
    .selectFrom('messages')
    .select('trace')
    .where('id', '=', String(messageId))
    .executeTakeFirstOrThrow()
  return row.trace as { retrieved?: unknown[] }
}

test('a character that cannot be stored matters only where it is kept: bad groups are refused, a bad thread id and unknown fields are ignored', async () => {
  for (const bad of ['\0', 'a\0b', '\uD800']) {
    expect(await refusalOf(await chat({ group_ids: [bad] }))).toEqual([403, 'GROUP_NOT_ALLOWED'])
    expect(await refusalOf(await chat({ query: `${query}${bad}` }))).toEqual([400, 'BAD_REQUEST'])
    expect(await lastOf(await chat({ thread_id: bad, colour: bad, [`${bad}x`]: 1 }))).toMatchObject({
      done: true,
    })
  }
})

verifies(
  ['chat.query-limit', 'limits.query'],
  'a question has at most 4,000 characters; an emoji counts as one, surrounding white space does not count',
  async () => {
    const status = async (asked: string) => {
      const response = await chat({ query: asked })
      await response.body?.cancel()
      return response.status
    }
    expect(await status('x'.repeat(4_000))).toBe(200)
    expect(await status('x'.repeat(4_001))).toBe(400)
    expect(await status('🔑'.repeat(4_000))).toBe(200)
    expect(await status('🔑'.repeat(4_001))).toBe(400)
    expect(await status(`  ${'x'.repeat(4_000)}\n`)).toBe(200)
    expect(await status(' \n ')).toBe(400)
    const refused = await chat({ query: 'x'.repeat(4_001) })
    expect(await refused.json()).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'query', message: 'must have at most 4,000 characters' }],
    })
  },
)

verifies(
  ['chat.top-k', 'limits.top-k'],
  'top_k passages are retrieved: 15 by default, 101 counts as 100, less than 1 is refused',
  async () => {
    const many = await api.makeAskable(
      Array.from({ length: 18 }, (_, place) => ({
        title: `Signing keys of region ${place}`,
        text: `Region ${place} rotates its signing keys at midnight.`,
      })),
    )
    const retrieved = async (body: Record<string, unknown>) => {
      const last = await lastOf(await chat({ query: 'Which regions rotate signing keys?', ...body }, many))
      return (await traceOf(last['message_id'])).retrieved?.length
    }
    expect(await retrieved({})).toBe(15)
    expect(await retrieved({ top_k: 3 })).toBe(3)
    expect(await retrieved({ top_k: 101 })).toBe(18)
    expect((await chat({ top_k: 0 })).status).toBe(400)
    expect((await chat({ top_k: '15' })).status).toBe(400)
  },
)

verifies(
  ['chat.group-ids-narrow', 'chat.group-ids-bad', 'chat.group-ids-empty', 'errors.group-ids-empty'],
  'group_ids narrow the pages used, an invalid value is 403, and an empty list means all groups of the key',
  async () => {
    const grouped = await api.makeAskable([])
    const [own, other] = [await makeGroup(storage.db, grouped.id), await makeGroup(storage.db, grouped.id)]
    await api.addPages(grouped.id, [
      { title: 'Own page', text: 'Signing keys are rotated every day at midnight.', groupId: own },
    ])
    const found = async (group_ids: unknown) => {
      const [first] = await framesOf(await chat({ group_ids }, grouped))
      return first
    }
    expect(await found([own])).toMatchObject({ citations: [{ title: 'Own page' }] })
    expect(await found([other])).toEqual({ done: false })
    expect(await found([])).toMatchObject({ citations: [{ title: 'Own page' }] })
    for (const bad of [[newId()], ['keys'], 'keys', [7], { own }]) {
      expect(await refusalOf(await chat({ group_ids: bad }, grouped))).toEqual([403, 'GROUP_NOT_ALLOWED'])
    }
    await storage.db
      .updateTable('client_keys')
      .set({ allowed_source_group_ids: [other] })
      .where('id', '=', grouped.keyId)
      .execute()
    expect(await found([])).toEqual({ done: false })
    expect(await found(undefined)).toEqual({ done: false })
    expect(await refusalOf(await chat({ group_ids: [own] }, grouped))).toEqual([403, 'GROUP_NOT_ALLOWED'])
  },
)

verifies(
  ['chat.user', 'threads.user-ignored', 'traps.user-is-not-identity'],
  'the reader is recorded by id, else by e-mail, and not at all in a thread request; it opens no thread and changes no answer',
  async () => {
    const userOf = async (threadId: unknown) => {
      const row = await storage.db
        .selectFrom('threads')
        .select('user_ref')
        .where('id', '=', String(threadId))
        .executeTakeFirstOrThrow()
      return row.user_ref
    }
    const thread = async (user: unknown) => (await lastOf(await chat({ user })))['thread_id']
    const both = await thread({ id: 'ann', email: 'ann@example.com' })
    expect(await userOf(both)).toBe('ann')
    expect(await userOf(await thread({ id: '', email: 'bob@example.com' }))).toBe('bob@example.com')
    expect(await userOf(await thread(undefined))).toBeNull()
    // As the filter of conversations and a purge read the name.
    expect(await userOf(await thread({ id: ' ', email: ' carl@example.com\n' }))).toBe('carl@example.com')

    const followed = await api.send(`/public/threads/${String(both)}/chat`, {
      headers: { 'x-client-key': base.key },
      body: { query, user: { id: 'mallory' } },
    })
    expect(await lastOf(followed)).toMatchObject({ thread_id: both })
    expect(await userOf(both)).toBe('ann')

    // What was asked, and answered, without the ids.
    const told = async (user: unknown) => {
      const before = llm.requests.length
      const frames = await framesOf(await chat({ user }))
      const { thread_id: threadId, message_id: _id, ...last } = frames.at(-1) ?? {}
      expect(threadId).not.toBe(both)
      // The delimiter of the excerpts is another one in each prompt.
      const asked = llm.requests
        .slice(before)
        .map(({ body }) => JSON.stringify(body).replaceAll(/[0-9a-f]{24}/g, 'delimiter'))
      return { asked, text: deltasOf(frames), last }
    }
    const ofNobody = await told(undefined)
    expect(ofNobody.asked).toHaveLength(1)
    expect(await told({ id: 'ann', email: 'ann@example.com' })).toEqual(ofNobody)
  },
)

verifies(
  [
    'chat.says-when-not-covered',
    'chat.covered-and-confidence',
    'chat.last-citations-replace',
    'citations.index',
  ],
  'the last frame has the confidence and the cited pages, and says if nothing was found',
  async () => {
    llm.script(fakeLlm.says(...ANSWER))
    const frames = await framesOf(await chat({}))
    const [first, last] = [frames[0], frames.at(-1)]
    expect((first?.['citations'] as unknown[] | undefined)?.length).toBeGreaterThan(1)
    expect(last?.['citations']).toMatchObject([{ index: 1, title: 'Rotating signing keys' }])
    expect(last).toMatchObject({ covered: true })
    expect(last?.['confidence']).toBeGreaterThan(0.5)
    expect(last?.['confidence']).toBeLessThanOrEqual(1)

    llm.script(fakeLlm.says('NOT COVERED: The documentation does not say who won.'))
    const uncovered = await framesOf(
      await chat({ query: 'Which football team has the signing keys won with?' }),
    )
    const text = deltasOf(uncovered)
    expect(uncovered.at(-1)).toMatchObject({ covered: false })
    // The nearest passages are quoted, with their citations.
    expect(uncovered.at(-1)?.['answer'] ?? text).toContain(
      '> Signing keys are rotated every day at midnight.',
    )
    expect(uncovered.at(-1)?.['citations']).toContainEqual(
      expect.objectContaining({ title: 'Rotating signing keys' }),
    )
    expect(uncovered.at(-1)?.['answer'] ?? text).toMatch(/not (?:say|cover)/)
    expect(uncovered.at(-1)?.['confidence']).toBeLessThan(0.5)
    llm.script(fakeLlm.says(...ANSWER))
  },
)

const FAILURES: [string, FakeBehaviour, boolean][] = [
  ['misconfigured', fakeLlm.paymentRequired(), false],
  ['misconfigured', fakeLlm.refuses(401), false],
  ['rate_limited', fakeLlm.rateLimited({ 'retry-after': '60' }), true],
  ['unavailable', fakeLlm.refuses(503, {}, { 'retry-after': '60' }), true],
  ['timeout', fakeLlm.stallsAfter('Signing keys are rotated. '), true],
  ['internal', fakeLlm.saysGarbageAfter('Signing keys '), true],
  ['content_filtered', fakeLlm.finishesWith('content_filter', 'Signing keys '), true],
  ['truncated', fakeLlm.finishesWith('length', 'Signing keys '), true],
]

verifies(
  [
    'chat.error-misconfigured',
    'chat.error-rate-limited',
    'chat.error-timeout',
    'chat.error-unavailable',
    'chat.error-internal',
    'chat.error-content-filtered',
    'chat.error-truncated',
    'chat.error-frame-fields',
  ],
  'each kind of model failure has its code in the single frame that ends the stream',
  async () => {
    await using failing = await startPublicApi({
      storage,
      modelUrl: llm.baseUrl,
      model: { limits: { firstTokenMs: 2_000, betweenTokensMs: 150, totalMs: 5_000 }, random: () => 0 },
      limits: { chatPerAddress: 0, chatPerKey: 0 },
    })
    for (const [error_code, behaviour, retryable] of FAILURES) {
      llm.script(behaviour)
      const response = await failing.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key },
        body: { query },
      })
      expect(response.status).toBe(200)
      const frames = await framesOf(response)
      expect(frames.at(-1)).toEqual({
        error: expect.stringMatching(/\w/),
        error_code,
        code: error_code.toUpperCase(),
        retryable,
        request_id: response.headers.get('x-request-id'),
      })
      expect(frames.filter((frame) => 'error' in frame || frame['done'] === true)).toHaveLength(1)
    }
    llm.script(fakeLlm.says(...ANSWER))
  },
)

verifies(
  ['threads.earlier-turns', 'threads.bound-to-key'],
  'a follow-up is asked with the earlier turns, and only by the key that started the thread',
  async () => {
    llm.script(fakeLlm.says(...ANSWER))
    const thread_id = (await lastOf(await chat({})))['thread_id']
    llm.requests.length = 0
    llm.script(
      fakeLlm.says('How long do old signing keys stay valid?'),
      fakeLlm.says('Old signing keys stay valid for one hour [1].'),
    )
    await framesOf(await chat({ query: 'And how long do the old ones stay valid?', thread_id }))
    const sent = JSON.stringify(llm.requests.map((request) => request.body.messages))
    expect(sent).toContain(query)
    expect(sent).toContain('rotated every day at midnight')
    llm.script(fakeLlm.says(...ANSWER))

    const pair = await api.makePair(base.id)
    const byPair = { 'x-client-id': pair.clientId, 'x-client-secret': pair.clientSecret }
    const onRoute = await api.send(`/public/threads/${String(thread_id)}/chat`, {
      headers: byPair,
      body: { query },
    })
    expect(await refusalOf(onRoute)).toEqual([404, 'NOT_FOUND'])
    const inBody = await api.send(`/public/knowledge-bases/${base.id}/chat`, {
      headers: byPair,
      body: { query, thread_id },
    })
    expect((await lastOf(inBody))['thread_id']).not.toBe(thread_id)
  },
)

verifies(
  'chat.error-cancelled',
  'a cancelled answer ends with the code cancelled, which is visible over the socket',
  async () => {
    llm.script(fakeLlm.neverEnds('Signing keys are rotated. '))
    using client = await openChatClient(api.address, base.id)
    await client.signIn(base.key)
    client.send({ type: 'chat', id: 'q1', query })
    await client.frame(({ type }) => type === 'delta')
    client.send({ type: 'cancel', id: 'q1' })
    expect(await client.end('q1')).toMatchObject({
      error_code: 'cancelled',
      code: 'CANCELLED',
      retryable: true,
    })
    llm.script(fakeLlm.says(...ANSWER))
  },
)
