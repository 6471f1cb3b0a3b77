import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeCaptcha } from '../../../test/fake-captcha.ts'
import { captchaSettingsOf, openGuarded } from '../../../test/open-guarded.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId, newTicketId } from '../../kernel/ids.ts'
import { hashSecret, newSecret } from '../../kernel/secrets.ts'

let storage: TestStorage

beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

verifies(
  [
    'captcha.chat',
    'captcha.thread-chat',
    'captcha.search',
    'captcha.feedback',
    'captcha.never.suggested-questions',
    'captcha.never.related',
    'captcha.never.withdraw-feedback',
    'captcha.never.widget-config',
    'captcha.never.saved-widget-config',
    'captcha.missing',
    'captcha.codes',
    'captcha.header',
    'traps.related-without-captcha',
  ],
  'only asking and rating with a public key need a token',
  async () => {
    await using guarded = await openGuarded(storage, 'turnstile')
    const { api, base, verifier } = guarded
    const [widget, ticket] = [newId(), newTicketId()]
    const of = `/public/knowledge-bases/${base.id}`
    const gated = [
      { path: `${of}/chat`, body: { query: 'When do keys rotate?' }, action: 'chat', passes: 200 },
      { path: `/public/threads/${ticket}/chat`, body: { query: 'Why?' }, action: 'chat', passes: 404 },
      { path: `${of}/search`, body: { query: 'keys' }, action: 'search', passes: 200 },
      {
        path: '/public/feedback',
        body: { message_id: ticket, rating: 'up' },
        action: 'feedback',
        passes: 404,
      },
    ]
    const open = [
      { path: `${of}/suggested-questions`, status: 200 },
      { path: `${of}/related`, body: { query: 'keys' }, status: 200 },
      { path: `${of}/widget-config`, status: 200 },
      { path: `/public/widget-integrations/${widget}/config`, status: 404 },
      { path: `/public/feedback/${ticket}`, method: 'DELETE', status: 404 },
    ]
    const ask = async (asked: { path: string; method?: string; body?: unknown }, token?: string) => {
      const response = await api.send(asked.path, {
        ...asked,
        headers: { 'x-client-key': base.key, ...(token !== undefined && { 'X-Captcha-Token': token }) },
      })
      return { status: response.status, text: await response.text() }
    }

    for (const asked of gated) {
      const refused = await ask(asked)
      expect([asked.path, refused.status]).toEqual([asked.path, 403])
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'CAPTCHA_REQUIRED', retryable: false })
      const wrong = await ask(asked, 'nonsense')
      expect(wrong.status).toBe(403)
      expect(JSON.parse(wrong.text)).toMatchObject({ code: 'CAPTCHA_FAILED', retryable: true })
      const token = verifier.mint({ action: asked.action })
      expect([asked.path, (await ask(asked, token)).status]).toEqual([asked.path, asked.passes])
    }
    for (const asked of open) {
      expect([asked.path, (await ask(asked)).status]).toEqual([asked.path, asked.status])
    }
  },
)

verifies(
  'captcha.never.secret-pair',
  'a secret pair needs no token, and a token it sends is ignored',
  async () => {
    await using guarded = await openGuarded(storage, 'turnstile')
    const { api, base, verifier } = guarded
    const [clientId, clientSecret] = [newSecret('cw_id_'), newSecret('cw_sk_')]
    await storage.db
      .updateTable('client_keys')
      .set({ kind: 'secret', public_key: null, client_id: clientId, secret_hash: hashSecret(clientSecret) })
      .where('id', '=', base.keyId)
      .execute()

    const response = await api.send(`/public/knowledge-bases/${base.id}/search`, {
      headers: { 'x-client-id': clientId, 'x-client-secret': clientSecret, 'x-captcha-token': 'nonsense' },
      body: { query: 'keys' },
    })

    expect(response.status).toBe(200)
    expect(verifier.asked).toEqual([])
  },
)

verifies(
  ['captcha.fresh-token', 'traps.captcha-token-once'],
  'of one token sent twenty times concurrently to two processes exactly one passes, even if the provider does not detect reuse',
  async () => {
    await using one = await openGuarded(storage, 'turnstile')
    one.verifier.setMood('forgets')
    await using other = await startPublicApi({
      storage,
      captcha: captchaSettingsOf('turnstile', one.verifier),
    })
    const token = one.verifier.mint({ action: 'search' })

    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, place) => {
        const response = await (place % 2 === 0 ? one.api : other).send(
          `/public/knowledge-bases/${one.base.id}/search`,
          { headers: { 'x-client-key': one.base.key, 'x-captcha-token': token }, body: { query: 'keys' } },
        )
        return response.status
      }),
    )

    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 403)).toHaveLength(19)
    expect(await one.search(token)).toMatchObject({ code: 'CAPTCHA_FAILED', retryable: true })
  },
)

test('spent tokens are deleted once they are too old to be accepted', async () => {
  await using verifier = await startFakeCaptcha('turnstile')
  const clock = { time: new Date() }
  await using api = await startPublicApi({
    storage,
    captcha: captchaSettingsOf('turnstile', verifier),
    now: () => clock.time,
  })
  const base = await api.makeAskable([])
  const search = () =>
    api.send(`/public/knowledge-bases/${base.id}/search`, {
      headers: {
        'x-client-key': base.key,
        'x-captcha-token': verifier.mint({ action: 'search', solvedAt: clock.time }),
      },
      body: { query: 'keys' },
    })
  const kept = async () =>
    (await storage.db.selectFrom('captcha_spent_tokens').select('expires_at').execute()).length

  await search()
  expect(await kept()).toBeGreaterThan(0)
  clock.time = new Date(clock.time.getTime() + 3_600_000)
  verifier.setMood('forgets')
  expect((await search()).status).toBe(200)
  expect(await kept()).toBe(1)
})

verifies('captcha.cors', 'a page may send the header of the token', async () => {
  await using guarded = await openGuarded(storage, 'turnstile')
  const response = await guarded.api.send(`/public/knowledge-bases/${guarded.base.id}/search`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://docs.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-captcha-token,x-client-key',
    },
  })

  expect(response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')).toEqual(
    expect.arrayContaining(['content-type', 'x-captcha-token', 'x-client-key']),
  )
})
