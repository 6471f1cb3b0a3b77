import { verifies } from '@citewell/spec/verifies'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

const PAGES = [
  {
    title: 'Rotating [signing] keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
]
const content = 'When are signing keys rotated?'
const messages = [{ role: 'user' as const, content }]

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
  'openai.errors',
  'errors have OpenAI’s format and their real status: key, model, body, quota, archived base',
  async () => {
    const client = clientOf(base.key)
    const ask = (given: Record<string, unknown> = {}, by = client) =>
      by.chat.completions.create({ model: base.id, messages, ...given }).catch((error: unknown) => error)

    expect(await ask({}, clientOf('wrong'))).toMatchObject({
      status: 401,
      type: 'authentication_error',
      code: 'UNAUTHENTICATED',
    })
    for (const model of [newId(), 'gpt-5', (await api.makeAskable([])).id]) {
      expect(await ask({ model })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
    expect(await ask({ messages: [] })).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'BAD_REQUEST',
      param: 'messages',
    })
    expect(await ask({ messages: [{ role: 'assistant', content: 'Hello' }] })).toMatchObject({ status: 400 })
    expect(await ask({ messages: [{ role: 'user', content: 'x'.repeat(4_001) }] })).toMatchObject({
      status: 400,
      param: 'messages.0.content',
    })
    const picture = [{ type: 'image_url', image_url: { url: 'data:' } }]
    expect(await ask({ messages: [{ role: 'user', content: picture }] })).toMatchObject({ status: 400 })

    const usedUp = await api.makeAskable([], { workspace: { monthly_question_allowance: 0 } })
    for (const stream of [false, true]) {
      expect(await ask({ model: usedUp.id, stream }, clientOf(usedUp.key))).toMatchObject({
        status: 403,
        type: 'insufficient_quota',
        code: 'QUOTA_EXCEEDED',
      })
    }
    const archived = await api.makeAskable([], { base: { status: 'archived' } })
    expect(await ask({ model: archived.id }, clientOf(archived.key))).toMatchObject({
      status: 403,
      type: 'permission_error',
      code: 'KNOWLEDGE_BASE_ARCHIVED',
    })
  },
)

verifies(
  'openai.failures',
  'an answer that fails before its first text has a real status, a later failure is an error event',
  async () => {
    const client = clientOf(base.key)
    for (const stream of [false, true]) {
      llm.script(fakeLlm.paymentRequired())
      const failed = await client.chat.completions
        .create({ model: base.id, messages, stream })
        .catch((error: unknown) => error)
      expect(failed).toMatchObject({ status: 500, type: 'server_error' })
      expect((failed as InstanceType<typeof OpenAI.APIError>).headers?.get('x-should-retry')).toBe('false')
    }

    llm.script(fakeLlm.saysGarbageAfter('Signing keys are rotated every day. '))
    const stream = await client.chat.completions.create({ model: base.id, messages, stream: true })
    await expect(Array.fromAsync(stream)).rejects.toMatchObject({ code: 'INTERNAL', type: 'server_error' })

    llm.script(fakeLlm.finishesWith('length', 'Signing keys are rotated every day. '))
    const cut = await client.chat.completions.create({ model: base.id, messages })
    expect(cut.choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: expect.stringContaining('Signing keys') },
    })
  },
)

verifies(
  'openai.abort',
  'a client that aborts ends the call to the model within 250 ms',
  async () => {
    for (const stream of [true, false]) {
      llm.script(fakeLlm.neverEnds('Signing keys are rotated. '))
      const aborting = new AbortController()
      const aborted = llm.nextAbort()
      const before = llm.requests.length
      const asking = clientOf(base.key)
        .chat.completions.create({ model: base.id, messages, stream }, { signal: aborting.signal })
        .catch((error: unknown) => error)
      if (stream) await asking
      else await expect.poll(() => llm.requests.length).toBeGreaterThan(before)
      const leftAt = performance.now()
      aborting.abort()
      expect((await aborted).abortedAt ?? Number.POSITIVE_INFINITY).toBeLessThan(leftAt + 250)
      await asking
    }
  },
  TIME_LIMIT,
)

verifies('openai.limits', 'requests count against the chat limits, and have their headers', async () => {
  await using limited = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: { chatPerKey: 1 } })
  const own = await limited.makeAskable(PAGES)
  saysWell()
  const client = new OpenAI({
    apiKey: own.key,
    baseURL: `${limited.address}/api/v1/public/openai`,
    maxRetries: 0,
  })
  const { response } = await client.chat.completions.create({ model: own.id, messages }).withResponse()
  expect(response.headers.get('ratelimit-policy')).toContain('"chat-key";q=1;w=60')
  await expect(client.chat.completions.create({ model: own.id, messages })).rejects.toBeInstanceOf(
    OpenAI.RateLimitError,
  )
})
