import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openChatClient } from '../../../test/chat-socket-client.ts'
import { FAKE_CAPTCHA_SECRET, FAKE_CAPTCHA_SITE_KEY, startFakeCaptcha } from '../../../test/fake-captcha.ts'
import { fakeLlm, startFakeLlm, type FakeBehaviour, type FakeLlm } from '../../../test/fake-llm.ts'
import { startPublicApi, type PublicApiGiven } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

const PAGES = [
  {
    title: 'Rotating signing keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
]
const query = 'When are signing keys rotated?'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

/** Starts a separate service with a model of this behaviour and a base; disposing it closes both. */
async function openWorld(behaviour: FakeBehaviour, given: Partial<PublicApiGiven> = {}) {
  const llm: FakeLlm = await startFakeLlm(behaviour)
  const api = await startPublicApi({
    storage,
    modelUrl: llm.baseUrl,
    limits: { chatPerAddress: 0, chatPerKey: 0 },
    ...given,
  })
  const base = await api.makeAskable(PAGES)
  return {
    llm,
    api,
    base,
    open: async () => {
      const client = await openChatClient(api.address, base.id)
      await client.signIn(base.key)
      return client
    },
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]()
      await llm[Symbol.asyncDispose]()
    },
  }
}

verifies(
  'websocket.close-4408',
  'a socket without a first message, and one that becomes idle later, is closed with 4408; a socket with an in-flight answer is not idle',
  async () => {
    await using world = await openWorld(fakeLlm.neverEnds('Signing keys. '), {
      socket: { seconds: { auth: 0.15, idle: 0.15 } },
    })
    using silent = await openChatClient(world.api.address, world.base.id)
    expect(await silent.closed).toMatchObject({ code: 4408 })

    using idle = await world.open()
    using busy = await world.open()
    busy.send({ type: 'chat', id: 'q1', query })
    await busy.frame(({ type }) => type === 'delta')
    expect((await idle.closed).code).toBe(4408)
    expect(busy.socket.readyState).toBe(busy.socket.OPEN)
    busy.send({ type: 'cancel', id: 'q1' })
    expect((await busy.closed).code).toBe(4408)
  },
)

verifies(
  'websocket.leaving-ends-the-model',
  'disconnecting or cancelling aborts the call to the model within 250 ms',
  async () => {
    await using world = await openWorld(fakeLlm.neverEnds('Signing keys are rotated. '))
    const { llm } = world
    for (const leave of ['terminate', 'close', 'cancel'] as const) {
      using client = await world.open()
      client.send({ type: 'chat', id: 'q1', query })
      await client.frame(({ type }) => type === 'delta')
      const aborted = llm.nextAbort()
      const leftAt = performance.now()
      if (leave === 'cancel') client.send({ type: 'cancel', id: 'q1' })
      else client.socket[leave]()
      expect((await aborted).abortedAt ?? Number.POSITIVE_INFINITY).toBeLessThan(leftAt + 250)
    }
    expect(world.api.openStreams.count()).toBeLessThan(3)
  },
  TIME_LIMIT,
)

verifies(
  'websocket.stop',
  'a shutdown ends an in-flight answer with an error frame and 1001, after a grace period for the others',
  async () => {
    await using world = await openWorld(fakeLlm.neverEnds('Signing keys are rotated. '))
    using busy = await world.open()
    using idle = await world.open()
    busy.send({ type: 'chat', id: 'q1', query })
    await busy.frame(({ type }) => type === 'delta')

    const stopping = world.api.stop(200)
    expect((await idle.closed).code).toBe(1001)
    expect(busy.socket.readyState).toBe(busy.socket.OPEN)
    expect((await busy.closed).code).toBe(1001)
    await stopping
    expect(busy.frames.at(-1)).toMatchObject({
      type: 'error',
      id: 'q1',
      error_code: 'unavailable',
      retryable: true,
    })
    expect(busy.frames.filter(({ type }) => type === 'done' || type === 'error')).toHaveLength(1)
  },
)

verifies(
  'websocket.close-4429',
  'when the limit is exceeded, in-flight answers finish before the socket is closed with 4429',
  async () => {
    await using world = await openWorld(fakeLlm.neverEnds('Signing keys. '), {
      limits: { chatPerAddress: 0, chatPerKey: 1 },
    })
    using client = await world.open()
    client.send({ type: 'chat', id: 'q1', query })
    await client.frame(({ type }) => type === 'delta')
    client.send({ type: 'chat', id: 'q2', query })
    expect(await client.end('q2')).toMatchObject({ code: 'RATE_LIMITED' })
    client.send({ type: 'chat', id: 'q3', query })
    expect(await client.end('q3')).toMatchObject({ code: 'RATE_LIMITED' })
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    client.send({ type: 'cancel', id: 'q1' })
    await client.end('q1')
    expect((await client.closed).code).toBe(4429)
  },
)

verifies('websocket.captcha-per-question', 'with CAPTCHA on, each question needs its own token', async () => {
  await using verifier = await startFakeCaptcha('recaptcha')
  await using world = await openWorld(fakeLlm.says('Signing keys are rotated [1].'), {
    captcha: {
      provider: 'recaptcha',
      siteKey: FAKE_CAPTCHA_SITE_KEY,
      secret: FAKE_CAPTCHA_SECRET,
      minScore: 0.5,
      hostnames: [],
      verifyUrl: verifier.verifyUrl,
      whenUnavailable: 'refuse',
    },
  })
  using client = await world.open()
  client.send({ type: 'chat', id: 'q1', query })
  expect(await client.end('q1')).toMatchObject({ code: 'CAPTCHA_REQUIRED' })
  const token = verifier.mint({ action: 'chat' })
  client.send({ type: 'chat', id: 'q2', query, captcha_token: token })
  expect(await client.end('q2')).toMatchObject({ type: 'done' })
  client.send({ type: 'chat', id: 'q3', query, captcha_token: token })
  expect(await client.end('q3')).toMatchObject({ code: 'CAPTCHA_FAILED' })
})

verifies(
  'websocket.no-ids-under-zero-retention',
  'with zero retention the done frame has neither thread_id nor message_id',
  async () => {
    await using world = await openWorld(fakeLlm.says('Signing keys are rotated [1].'))
    const base = await world.api.makeAskable(PAGES, { workspace: { zero_data_retention: true } })
    using client = await openChatClient(world.api.address, base.id)
    await client.signIn(base.key)
    client.send({ type: 'chat', id: 'q1', query })
    const done = await client.end('q1')
    expect(done['type']).toBe('done')
    expect('thread_id' in done || 'message_id' in done).toBe(false)
  },
)
