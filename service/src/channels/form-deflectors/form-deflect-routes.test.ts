import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { makeGroup } from '../../../test/make-records.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId, newTicketId } from '../../kernel/ids.ts'

const PAGES = [
  {
    title: 'Rotating signing keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
]
const WRITTEN = {
  subject: 'Signing keys',
  body: 'When are the signing keys rotated? I need to know for my shop.',
}

let storage: TestStorage
let llm: FakeLlm
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<typeof api.makeAskable>>

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(fakeLlm.says('Signing keys are rotated every day ', 'at midnight [1].'))
  api = await startPublicApi({
    storage,
    modelUrl: llm.baseUrl,
    limits: { chatPerAddress: 0, chatPerKey: 0, feedbackPerKey: 0 },
  })
  base = await api.makeAskable(PAGES)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

type Of = { id: string; key: string }

const deflect = async (body: unknown, of: Of = base, headers: Record<string, string> = {}) =>
  await api.send(`/public/knowledge-bases/${of.id}/form-deflect`, {
    headers: { 'x-client-key': of.key, ...headers },
    body,
  })

const read = async (response: Response) => (await response.json()) as Record<string, unknown>

const tell = async (conversationId: string, outcome: unknown, of: Of = base) =>
  await api.send(`/public/knowledge-bases/${of.id}/form-deflect/${conversationId}/outcome`, {
    headers: { 'x-client-key': of.key },
    body: { outcome },
  })

async function makeForm(
  fields: Partial<{ enabled: boolean; min_characters: number; min_confidence: number }>,
) {
  const id = newId()
  const times = { created_at: new Date(), updated_at: new Date() }
  await storage.db
    .insertInto('form_deflectors')
    .values({
      knowledge_base_id: base.id,
      id,
      name: 'Contact',
      enabled: true,
      min_characters: 15,
      min_confidence: 0.5,
      ...times,
      ...fields,
    })
    .execute()
  return id
}

verifies(
  ['form-deflectors.answer', 'form-deflectors.ids-can-be-rated'],
  'a form gets an answer with citations, confidence and ids, whose message can be rated',
  async () => {
    const response = await deflect({ ...WRITTEN, user: { id: 'ann' }, unknown: true })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const said = await read(response)
    expect(said).toEqual({
      answered: true,
      skipped_reason: null,
      answer: 'Signing keys are rotated every day at midnight [1].',
      citations: [expect.objectContaining({ index: 1, title: 'Rotating signing keys' })],
      confidence: expect.any(Number),
      conversation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const rated = await api.send('/public/feedback', {
      headers: { 'x-client-key': base.key },
      body: { message_id: said['message_id'], rating: 'down' },
    })
    expect(await read(rated)).toMatchObject({ vote: 'down', source: 'form_deflector' })
    const asked = JSON.stringify(llm.requests.at(-1)?.body.messages)
    expect(asked).toContain('for my shop')
  },
)

verifies(
  'form-deflectors.too-short',
  'a text that is too short is not answered, counted or stored',
  async () => {
    const asked = llm.requests.length
    expect(await read(await deflect({ body: 'Help!' }))).toEqual({
      answered: false,
      skipped_reason: 'too_short',
      answer: null,
      citations: [],
      confidence: 0,
    })
    const form_id = await makeForm({ min_characters: 500 })
    expect(await read(await deflect({ ...WRITTEN, form_id }))).toMatchObject({ skipped_reason: 'too_short' })
    expect(llm.requests).toHaveLength(asked)
    expect((await deflect({ subject: 'No body' })).status).toBe(400)
  },
)

verifies(
  'form-deflectors.low-confidence',
  'an answer that is not covered, or has too little confidence for the form, is withheld',
  async () => {
    const uncovered = await read(
      await deflect({ body: 'Who won the football cup in nineteen seventy four, and where?' }),
    )
    expect(uncovered).toMatchObject({
      answered: false,
      skipped_reason: 'low_confidence',
      answer: null,
      citations: [],
    })
    const form_id = await makeForm({ min_confidence: 1 })
    const unsure = await read(await deflect({ ...WRITTEN, form_id }))
    expect(unsure).toMatchObject({
      answered: false,
      skipped_reason: 'low_confidence',
      conversation_id: expect.any(String),
    })
  },
)

verifies(
  'form-deflectors.stream',
  'with Accept: text/event-stream chat frames are sent; the last one says whether to show the answer',
  async () => {
    const accept = { accept: 'text/event-stream' }
    const frames = await framesOf(await deflect(WRITTEN, base, accept))
    expect(frames.map((frame) => ('delta' in frame ? 'delta' : frame['done']))).toEqual([
      false,
      'delta',
      'delta',
      true,
    ])
    const last = frames.at(-1) ?? {}
    expect(last).toMatchObject({
      answered: true,
      skipped_reason: null,
      covered: true,
      conversation_id: last['thread_id'],
      message_id: expect.any(String),
      powered_by: 'Citewell',
    })
    expect((await tell(String(last['conversation_id']), 'deflected')).status).toBe(204)

    const short = await framesOf(await deflect({ body: 'Help!' }, base, accept))
    expect(short).toMatchObject([
      { done: false },
      { done: true, citations: [], covered: false, answered: false, skipped_reason: 'too_short' },
    ])
    llm.script(fakeLlm.saysGarbageAfter('Signing keys '))
    const failed = await framesOf(await deflect(WRITTEN, base, accept))
    expect(failed.at(-1)).toMatchObject({ error_code: 'internal' })
    llm.script(fakeLlm.paymentRequired())
    expect((await deflect(WRITTEN)).status).toBe(500)
    llm.script(fakeLlm.says('Signing keys are rotated every day ', 'at midnight [1].'))
  },
)

const outcomeOf = async (conversationId: string) =>
  await storage.db
    .selectFrom('deflections')
    .select(['outcome', 'answered'])
    .where('conversation_id', '=', conversationId)
    .execute()

/** Adds a webhook to the base. */
async function listenFor(event: string) {
  await storage.db
    .insertInto('webhook_triggers')
    .values({
      knowledge_base_id: base.id,
      id: newId(),
      name: 'Ours',
      url: 'https://hooks.example.com/',
      origin: 'https://hooks.example.com',
      events: [event],
      sealed_secret: null,
      gone_at: null,
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute()
}

/** The data of the events that were recorded of a conversation. */
async function eventsOf(conversationId: string) {
  const rows = await storage.db
    .selectFrom('webhook_deliveries')
    .select('body')
    .where('thread_id', '=', conversationId)
    .where('event', '=', 'deflection.completed')
    .orderBy('id')
    .execute()
  return rows.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)
}

verifies(
  ['form-deflectors.outcome', 'form-deflectors.outcome-event'],
  'an outcome is stored, with its event, once; a later one replaces it',
  async () => {
    await listenFor('deflection.completed')
    const { conversation_id } = await read(await deflect(WRITTEN))
    const id = String(conversation_id)
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(id, 'deflected')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 204))
    expect(await eventsOf(id)).toEqual([
      { conversation_id: id, confidence: expect.any(Number), deflected: true },
    ])
    expect((await tell(id, 'submitted')).status).toBe(204)
    expect(await eventsOf(id)).toMatchObject([{}, { deflected: false }])
    expect(await outcomeOf(id)).toEqual([{ outcome: 'submitted', answered: true }])
    expect((await tell(id, 'maybe')).status).toBe(400)
  },
)

verifies(
  'form-deflectors.bound-to-key',
  'an outcome is accepted only from the key that asked, in its own base, and for a conversation of a form',
  async () => {
    const { conversation_id } = await read(await deflect(WRITTEN))
    const id = String(conversation_id)
    const other = await api.makeAskable(PAGES)
    const pair = await api.makePair(base.id)
    const byPair = await api.send(`/public/knowledge-bases/${base.id}/form-deflect/${id}/outcome`, {
      headers: { 'x-client-id': pair.clientId, 'x-client-secret': pair.clientSecret },
      body: { outcome: 'deflected' },
    })
    expect(byPair.status).toBe(404)
    expect((await tell(id, 'deflected', other)).status).toBe(404)
    expect((await tell(id, 'deflected', { id: other.id, key: base.key })).status).toBe(404)
    expect((await tell(newTicketId(), 'deflected')).status).toBe(404)
    expect((await tell('last-tuesday', 'deflected')).status).toBe(400)
    const chat = await framesOf(
      await api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key },
        body: { query: 'When are signing keys rotated?' },
      }),
    )
    expect((await tell(String(chat.at(-1)?.['thread_id']), 'deflected')).status).toBe(404)
    expect((await tell(id, 'deflected')).status).toBe(204)
  },
)

verifies(
  'form-deflectors.form-and-groups',
  'a form of another base, a disabled one, and a foreign group are refused',
  async () => {
    const other = await api.makeAskable([])
    const form_id = await makeForm({ enabled: false })
    const status = async (given: Record<string, unknown>, of: Of = base) =>
      await read(await deflect({ ...WRITTEN, ...given }, of))
    expect(await status({ form_id })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await status({ form_id }, other)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await status({ form_id: 'mine' })).toMatchObject({ code: 'BAD_REQUEST' })
    expect(await status({ group_ids: [newId()] })).toMatchObject({ code: 'GROUP_NOT_ALLOWED' })
    const empty = await makeGroup(storage.db, base.id)
    expect(await status({ group_ids: [empty] })).toMatchObject({ skipped_reason: 'low_confidence' })
  },
)

verifies(
  'form-deflectors.zero-retention',
  'with zero retention the answer has no ids, and nothing of it is stored',
  async () => {
    const silent = await api.makeAskable(PAGES, { workspace: { zero_data_retention: true } })
    const said = await read(await deflect(WRITTEN, silent))
    expect(said).toMatchObject({ answered: true })
    expect('conversation_id' in said || 'message_id' in said).toBe(false)
    const kept = await storage.db
      .selectFrom('deflections')
      .select('conversation_id')
      .where('knowledge_base_id', '=', silent.id)
      .execute()
    expect(kept).toEqual([])

    // A form that was answered before the switch: nothing is added to what was kept of it, and no webhook tells of it.
    const id = String((await read(await deflect(WRITTEN)))['conversation_id'])
    const keepNothing = async (on: boolean) => {
      await storage.db
        .updateTable('workspaces')
        .set({ zero_data_retention: on })
        .where('id', '=', base.workspaceId)
        .execute()
    }
    await keepNothing(true)
    expect((await tell(id, 'deflected')).status).toBe(404)
    expect([await outcomeOf(id), await eventsOf(id)]).toEqual([[{ outcome: null, answered: true }], []])
    await keepNothing(false)
    expect((await tell(id, 'deflected')).status).toBe(204)
    expect(await eventsOf(id)).toHaveLength(1)
  },
)

verifies(
  'form-deflectors.long-text',
  'of a text of up to 20,000 characters the first 4,000 are used',
  async () => {
    const long = `${WRITTEN.body} ${'x '.repeat(9_000)}TAIL-CANARY`
    expect(await read(await deflect({ body: long }))).toMatchObject({ answered: true })
    expect(JSON.stringify(llm.requests.at(-1)?.body)).not.toContain('TAIL-CANARY')
    expect((await deflect({ body: 'x'.repeat(20_001) })).status).toBe(400)
  },
)
