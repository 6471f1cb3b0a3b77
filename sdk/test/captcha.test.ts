import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPublicApi } from '../../service/test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../service/test/test-storage.ts'
import { createAltcha, solveAltcha } from '../src/captcha.ts'
import { createClient } from '../src/client.ts'
import { errorOf } from './error-of.ts'

const PAGES = [{ title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }]

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
beforeAll(async () => {
  storage = await openTestStorage()
  const captcha = { provider: 'altcha', secret: undefined, whenUnavailable: 'refuse' } as const
  api = await startPublicApi({ storage, captcha })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

test(
  'every gated request is admitted with a token of its own, and none without',
  { tags: ['long'] },
  async () => {
    const base = await api.makeAskable(PAGES)
    const options = { endpoint: api.address, knowledgeBaseId: base.id, clientKey: base.key }
    const bare = createClient(options)
    expect(await bare.config()).toMatchObject({ captchaRequired: true, captchaProvider: 'altcha' })
    expect(await errorOf(bare.search('keys'))).toMatchObject({ code: 'CAPTCHA_REQUIRED', status: 403 })

    const client = createClient({ ...options, captcha: createAltcha(options) })
    expect(await client.search('signing keys')).toMatchObject({ count: 1 })
    const { messageId = '' } = await client.ask('When are signing keys rotated?').final()
    expect(await client.rate(messageId, 'up')).toMatchObject({ vote: 'up' })
    await client.withdraw(messageId)
    const form = { body: 'When are the signing keys rotated, please?' }
    expect(await client.deflect(form).final()).toMatchObject({ answered: true })
  },
)

test('a token that was prepared is used once', async () => {
  const base = await api.makeAskable(PAGES)
  const sent: string[] = []
  const options = {
    endpoint: api.address,
    knowledgeBaseId: base.id,
    clientKey: base.key,
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      sent.push(new URL(new Request(input).url).pathname.split('/').at(-1) ?? '')
      return await fetch(input, init)
    },
  }
  const captcha = createAltcha(options)
  const client = createClient({ ...options, captcha })
  captcha.prepare('search')
  captcha.prepare('search')
  await client.search('keys')
  await client.search('keys')
  expect(sent).toEqual(['captcha-challenge', 'search', 'captcha-challenge', 'search'])
})

test('searches that are given up at the next key share one challenge, and its token is used once', async () => {
  const base = await api.makeAskable(PAGES)
  const sent: (string | null)[] = []
  const options = {
    endpoint: api.address,
    knowledgeBaseId: base.id,
    clientKey: base.key,
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      sent.push(new Headers(init?.headers).get('x-captcha-token'))
      return await fetch(input, init)
    },
  }
  const client = createClient({ ...options, captcha: createAltcha(options) })
  for (const query of ['k', 'ke', 'key']) {
    const next = new AbortController()
    const search = errorOf(client.search(query, { signal: next.signal }))
    next.abort()
    expect(await search).toMatchObject({ code: 'CANCELLED' })
  }
  await client.search('keys')
  await client.search('keys again')
  const tokens = sent.filter((token) => token !== null)
  // Two challenges, two searches.
  expect(sent).toHaveLength(4)
  expect(new Set(tokens).size).toBe(2)
})

test('a challenge of an unknown kind is not solved', async () => {
  const challenge = { parameters: { algorithm: 'SCRYPT', nonce: '', salt: '' }, signature: '' }
  expect(await errorOf(solveAltcha(challenge))).toMatchObject({ code: 'CAPTCHA_FAILED', retryable: false })
})
