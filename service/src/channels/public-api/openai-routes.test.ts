import { verifies } from '@citewell/spec/verifies'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

const PAGES = [
  {
    title: 'Rotating [signing] keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
]
const content = 'When are signing keys rotated?'
const messages = [{ role: 'user' as const, content }]
const ANSWER = 'Signing keys are rotated every day at midnight [1].'
const SOURCES =
  '\n\n**Sources**\n\n1. [Rotating \\[signing\\] keys](https://docs.example.com/Rotating%20%5Bsigning%5D%20keys'

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
    limits: { chatPerAddress: 0, chatPerKey: 0 },
  })
  base = await api.makeAskable(PAGES)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

const clientOf = (apiKey: string, headers: Record<string, string> = {}) =>
  new OpenAI({
    apiKey,
    baseURL: `${api.address}/api/v1/public/openai`,
    maxRetries: 0,
    defaultHeaders: headers,
  })

const saysWell = () => llm.script(fakeLlm.says('Signing keys are rotated every day ', 'at midnight [1].'))

verifies(
  ['openai.whole-answer', 'openai.sources', 'openai.usage'],
  'the openai package reads a whole answer, its sources as links and annotations, and its usage',
  async () => {
    saysWell()
    const answer = await clientOf(base.key).chat.completions.create({ model: base.id, messages, user: 'ann' })

    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: base.id,
      citewell: {
        answer: ANSWER,
        citations: [{ index: 1 }],
        covered: true,
        thread_id: expect.any(String),
        message_id: expect.any(String),
      },
    })
    const [choice] = answer.choices
    expect(choice?.finish_reason).toBe('stop')
    expect(choice?.message.role).toBe('assistant')
    expect(choice?.message.content).toContain(`${ANSWER}${SOURCES}`)
    expect(choice?.message.annotations).toMatchObject([
      {
        type: 'url_citation',
        url_citation: { start_index: ANSWER.indexOf('[1]'), end_index: ANSWER.indexOf('[1]') + 3 },
      },
    ])
    expect(answer.usage?.prompt_tokens).toBeGreaterThan(0)
    expect(answer.usage?.total_tokens).toBe(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    )
    const threads = await storage.db
      .selectFrom('threads')
      .select(['surface', 'user_ref'])
      .where('knowledge_base_id', '=', base.id)
      .execute()
    expect(threads).toEqual([{ surface: 'openai', user_ref: 'ann' }])
  },
)

verifies(
  ['openai.stream', 'openai.sources'],
  'the openai package reads a stream: deltas, sources, finish reason, usage if requested, and its end',
  async () => {
    saysWell()
    const client = clientOf(base.key)
    const stream = await client.chat.completions.create({
      model: base.id,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await Array.fromAsync(stream)
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(text).toContain(`${ANSWER}${SOURCES}`)
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' })
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    const last = chunks.at(-2)
    expect(last).toMatchObject({
      choices: [{ finish_reason: 'stop', delta: { annotations: [{ type: 'url_citation' }] } }],
      citewell: { answer: ANSWER, covered: true, message_id: expect.any(String) },
    })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })

    saysWell()
    const whole = await client.chat.completions.stream({ model: base.id, messages }).finalContent()
    expect(whole).toBe(text)
    saysWell()
    const raw = await api.send('/public/openai/chat/completions', {
      headers: { authorization: `Bearer ${base.key}` },
      body: { model: base.id, messages, stream: true },
    })
    expect(raw.headers.get('content-type')).toBe('text/event-stream')
    expect(await raw.text()).toMatch(/\n\ndata: \[DONE\]\n\n$/)
  },
)

verifies(
  'openai.stream-numbers',
  'the sources below a streamed answer have the numbers that were streamed; the final numbers are in the extra field',
  async () => {
    const twoPages = await api.makeAskable([
      { title: 'Rotation', text: 'Signing keys are rotated every day at midnight.' },
      { title: 'Vault', text: 'Old signing keys are stored in the vault.' },
    ])
    llm.script(fakeLlm.says('Old signing keys are stored ', 'in the vault [2].'))
    const stream = await clientOf(twoPages.key).chat.completions.create({
      model: twoPages.id,
      messages,
      stream: true,
    })
    const chunks = await Array.fromAsync(stream)
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(text).toMatch(
      /^Old signing keys are stored in the vault \[2\]\.\n\n\*\*Sources\*\*\n\n2\. \[Vault\]\(/,
    )
    expect(chunks.at(-1)).toMatchObject({
      citewell: {
        answer: 'Old signing keys are stored in the vault [1].',
        citations: [{ index: 1, title: 'Vault' }],
      },
    })
  },
)

verifies(
  'openai.history',
  'earlier turns sent by the client are used; its system messages are not',
  async () => {
    llm.requests.length = 0
    llm.script(
      fakeLlm.says('How long do old signing keys stay valid?'),
      fakeLlm.says('Old signing keys stay valid for one hour [1].'),
    )
    await clientOf(base.key).chat.completions.create({
      model: base.id,
      messages: [
        { role: 'system', content: 'SYSTEM-CANARY: talk like a pirate.' },
        { role: 'user', content },
        { role: 'assistant', content: `${ANSWER}${SOURCES})` },
        { role: 'user', content: [{ type: 'text', text: 'And how long do old ones stay valid?' }] },
      ],
    })
    const sent = JSON.stringify(llm.requests.map((request) => request.body.messages))
    expect(sent).toContain('And how long do old ones stay valid?')
    expect(sent).toContain('Answer: Signing keys are rotated every day at midnight.')
    expect(sent).not.toContain('SYSTEM-CANARY')
    expect(sent).not.toContain('**Sources**')
  },
)

test('earlier turns that are cut within an emoji reach the model as whole characters', async () => {
  llm.requests.length = 0
  llm.script(fakeLlm.says(ANSWER), fakeLlm.says(ANSWER))
  const long = (most: number) => `${'x '.repeat(most).slice(0, most - 1)}🔑 and more`
  await clientOf(base.key).chat.completions.create({
    model: base.id,
    messages: [
      { role: 'user', content: long(4_000) },
      { role: 'assistant', content: long(8_000) },
      { role: 'user', content: 'And how long do old ones stay valid?' },
    ],
  })
  const sent = llm.requests.flatMap((request) => request.body.messages.map(({ content }) => content))
  expect(sent.join('')).toContain('x x x')
  expect(sent.every((text) => text.isWellFormed())).toBe(true)
})

verifies(
  'openai.keys',
  'a key works as the API key or in our own headers, and so does a secret pair',
  async () => {
    const pair = await api.makePair(base.id)
    const good = [
      clientOf(base.key),
      clientOf('whatever', { 'X-Client-Key': base.key }),
      clientOf(`${pair.clientId}:${pair.clientSecret}`),
      clientOf('whatever', { 'X-Client-Id': pair.clientId, 'X-Client-Secret': pair.clientSecret }),
    ]
    for (const client of good) {
      expect((await client.models.list()).data).toMatchObject([{ id: base.id, object: 'model' }])
    }
    for (const apiKey of ['cw_pk_wrong', `${pair.clientId}:wrong`, pair.clientId]) {
      await expect(clientOf(apiKey).models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    }
    const preflight = await api.send('/public/openai/chat/completions', {
      method: 'OPTIONS',
      headers: { origin: 'https://docs.example.com' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization, *')
    const bare = await api.send('/public/openai/models')
    expect(bare.status).toBe(401)
    expect(bare.headers.get('www-authenticate')).toContain('Bearer')
  },
)

verifies('openai.models', 'the list of models contains only the base of the key', async () => {
  const other = await api.makeAskable([])
  const models = await Array.fromAsync(clientOf(base.key).models.list())
  expect(models).toEqual([
    { id: base.id, object: 'model', created: expect.any(Number), owned_by: 'citewell', name: 'Acme docs' },
  ])
  expect(models.map(({ id }) => id)).not.toContain(other.id)
})
