import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'

const query = 'When are signing keys rotated?'
const OWN_PAGE = 'https://docs.example.com'

let storage: TestStorage
let llm: FakeLlm
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<typeof api.makeAskable>>
let threadId: string

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(fakeLlm.says('Signing keys are rotated every day ', 'at midnight [1].'))
  api = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: { chatPerAddress: 0, chatPerKey: 0 } })
  base = await api.makeAskable(
    [{ title: 'Rotating signing keys', text: 'Signing keys are rotated every day at midnight.' }],
    {
      base: { persona: 'BASE-PERSONA', tone: 'BASE-TONE', standing_instructions: 'BASE-INSTRUCTIONS' },
    },
  )
  const answered = await framesOf(await ask('chat', {}))
  threadId = String(answered.at(-1)?.['thread_id'])
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

async function makeWidget(of: string, fields: { enabled?: boolean; config?: string } = {}) {
  const id = newId()
  await storage.db
    .insertInto('widgets')
    .values({
      knowledge_base_id: of,
      id,
      name: 'Help',
      enabled: true,
      allowed_origins: [OWN_PAGE],
      config: '{}',
      created_at: new Date(),
      updated_at: new Date(),
      ...fields,
    })
    .execute()
  return id
}

const PATHS = {
  chat: () => `/public/knowledge-bases/${base.id}/chat`,
  thread: () => `/public/threads/${threadId}/chat`,
  search: () => `/public/knowledge-bases/${base.id}/search`,
}

const ask = async (where: keyof typeof PATHS, body: Record<string, unknown>, origin?: string) =>
  await api.send(PATHS[where](), {
    headers: { 'x-client-key': base.key, ...(origin !== undefined && { origin }) },
    body: { query, ...body },
  })

const refusalOf = async (response: Response) => {
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}

verifies(
  [
    'chat.widget-id-invalid',
    'chat.widget-disabled',
    'chat.widget-origin',
    'chat.widget-not-found',
    'search.widget-id',
  ],
  'a widget is checked the same way on chat, on a thread and on search',
  async () => {
    const widget_id = await makeWidget(base.id)
    const off = await makeWidget(base.id, { enabled: false })
    const foreign = await makeWidget((await api.makeAskable([])).id)
    for (const where of ['chat', 'thread', 'search'] as const) {
      for (const invalid of ['mine', '', 7]) {
        expect(await refusalOf(await ask(where, { widget_id: invalid }))).toEqual([400, 'BAD_REQUEST'])
      }
      for (const unknown of [newId(), foreign]) {
        expect(await refusalOf(await ask(where, { widget_id: unknown }))).toEqual([404, 'NOT_FOUND'])
      }
      expect(await refusalOf(await ask(where, { widget_id: off }))).toEqual([403, 'WIDGET_DISABLED'])
      expect(await refusalOf(await ask(where, { widget_id }, 'https://evil.example'))).toEqual([
        403,
        'ORIGIN_NOT_ALLOWED',
      ])
      // A server sends no origin to check; without a widget_id only the allowed origins of the key count.
      for (const response of [
        await ask(where, { widget_id }, OWN_PAGE),
        await ask(where, { widget_id }),
        await ask(where, {}, 'https://evil.example'),
      ]) {
        expect(response.status).toBe(200)
        await response.body?.cancel()
      }
    }
  },
)

verifies(
  ['chat.widget-voice', 'threads.widget-again'],
  'a widget applies its voice to the questions that name it, and not to follow-ups that do not',
  async () => {
    const own = {
      persona: 'WIDGET-PERSONA',
      tone: 'WIDGET-TONE',
      standing_instructions: 'WIDGET-INSTRUCTIONS',
    }
    const widget_id = await makeWidget(base.id, { config: JSON.stringify(own) })
    const toneOnly = await makeWidget(base.id, { config: JSON.stringify({ tone: own.tone }) })
    const voiceOf = async (where: 'chat' | 'thread', body: Record<string, unknown>) => {
      const frames = await framesOf(await ask(where, body))
      expect(frames.at(-1)).toMatchObject({ done: true })
      const sent = JSON.stringify(llm.requests.at(-1)?.body.messages)
      return [...sent.matchAll(/(?:WIDGET|BASE)-(?:PERSONA|TONE|INSTRUCTIONS)/g)].map(String).toSorted()
    }
    const ofWidget = Object.values(own).toSorted()
    const ofBase = ['BASE-INSTRUCTIONS', 'BASE-PERSONA', 'BASE-TONE']
    expect(await voiceOf('chat', { widget_id })).toEqual(ofWidget)
    expect(await voiceOf('thread', { widget_id })).toEqual(ofWidget)
    expect(await voiceOf('thread', {})).toEqual(ofBase)
    expect(await voiceOf('chat', { widget_id: toneOnly })).toEqual([
      'BASE-INSTRUCTIONS',
      'BASE-PERSONA',
      'WIDGET-TONE',
    ])
  },
)
