import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAKE_CAPTCHA_SECRET, FAKE_CAPTCHA_SITE_KEY } from '../../../test/fake-captcha.ts'
import { openGuarded } from '../../../test/open-guarded.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage

beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

verifies(
  ['captcha.score-based', 'captcha.providers'],
  'reCAPTCHA v3: the score counts as trust, and is required',
  async () => {
    await using guarded = await openGuarded(storage, 'recaptcha', { minScore: 0.7 })
    const { verifier, search } = guarded

    expect(await search(verifier.mint({ action: 'search', score: 0.7 }))).toMatchObject({ status: 200 })
    expect(await search(verifier.mint({ action: 'search', score: 0.6 }))).toMatchObject({
      code: 'CAPTCHA_FAILED',
    })
    expect(verifier.asked[0]).toEqual({
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
      secret: FAKE_CAPTCHA_SECRET,
      response: expect.stringMatching(/^recaptcha\./),
      remoteip: '127.0.0.1',
    })
  },
)

verifies(
  ['captcha.score-based', 'captcha.providers'],
  'hCaptcha: its score counts as risk, is optional, and our site key is sent',
  async () => {
    await using guarded = await openGuarded(storage, 'hcaptcha', { minScore: 0.7 })
    const { verifier, search } = guarded

    expect(await search(verifier.mint())).toMatchObject({ status: 200 })
    expect(await search(verifier.mint({ score: 0.1 }))).toMatchObject({ status: 200 })
    expect(await search(verifier.mint({ score: 0.9 }))).toMatchObject({ code: 'CAPTCHA_FAILED' })
    expect(verifier.asked[0]).toMatchObject({
      sitekey: FAKE_CAPTCHA_SITE_KEY,
      response: expect.stringMatching(/^hcaptcha\./),
    })
  },
)

verifies(
  ['captcha.action', 'captcha.providers'],
  'a token for a question is not accepted for a search',
  async () => {
    for (const provider of ['recaptcha', 'turnstile'] as const) {
      await using guarded = await openGuarded(storage, provider)
      const refused = await guarded.search(guarded.verifier.mint({ action: 'chat' }))
      expect([provider, refused.status, refused.code]).toEqual([provider, 403, 'CAPTCHA_FAILED'])
      expect(await guarded.search(guarded.verifier.mint({ action: 'search' }))).toMatchObject({ status: 200 })
    }
  },
)

verifies(
  'captcha.hostname',
  'a token of a page on another host is refused if hosts are configured',
  async () => {
    await using guarded = await openGuarded(storage, 'turnstile', { hostnames: ['docs.example.com'] })
    const { verifier, search } = guarded

    expect(await search(verifier.mint({ action: 'search', hostname: 'DOCS.example.com' }))).toMatchObject({
      status: 200,
    })
    for (const hostname of ['evil.example.net', 'docs.example.com.evil.io', '']) {
      const answer = await search(verifier.mint({ action: 'search', hostname }))
      expect([hostname, answer.code]).toEqual([hostname, 'CAPTCHA_FAILED'])
    }
  },
)

verifies('captcha.age', 'an expired token is refused, by its provider and by us', async () => {
  await using guarded = await openGuarded(storage, 'turnstile')
  const { verifier, search } = guarded
  const old = () => verifier.mint({ action: 'search', solvedAt: new Date(Date.now() - 10 * 60_000) })

  const refusals = [await search(old())]
  verifier.setMood('forgets')
  refusals.push(await search(old()))
  refusals.push(await search(verifier.mint({ action: 'search', solvedAt: new Date(Date.now() + 600_000) })))

  expect(refusals.map(({ code }) => code)).toEqual(['CAPTCHA_FAILED', 'CAPTCHA_FAILED', 'CAPTCHA_FAILED'])
  expect(refusals.map(({ error }) => error)).toEqual(refusals.map(() => expect.stringContaining('expired')))
})

verifies(
  ['captcha.provider-down', 'traps.captcha-token-once'],
  'if the provider is down, slow or sends invalid responses, requests are refused with a retryable error',
  async () => {
    await using guarded = await openGuarded(storage, 'turnstile')
    const { verifier, search, api } = guarded
    for (const mood of ['down', 'garbage', 'error-500', 'internal-error', 'slow'] as const) {
      verifier.setMood(mood)
      const startedAt = performance.now()
      const answer = await search(verifier.mint({ action: 'search' }))
      expect([mood, answer.status, answer.code, answer.retryable]).toEqual([
        mood,
        403,
        'CAPTCHA_FAILED',
        true,
      ])
      expect(answer.error).toBe('The check is unavailable at the moment. Please try again shortly.')
      // The timeout is 3 s; the rest is for a busy machine.
      expect(performance.now() - startedAt).toBeLessThan(15_000)
    }
    expect(api.faults).toHaveLength(5)
    verifier.setMood('well')
    expect(await search(verifier.mint({ action: 'search' }))).toMatchObject({ status: 200 })
  },
)

verifies('captcha.provider-down', 'requests pass while the provider is down, if configured so', async () => {
  await using guarded = await openGuarded(storage, 'turnstile', { whenUnavailable: 'allow' })
  const { verifier, search } = guarded
  verifier.setMood('down')

  expect(await search('anything')).toMatchObject({ status: 200 })
  expect(await search('anything')).toMatchObject({ code: 'CAPTCHA_FAILED' })
  expect(await search(undefined)).toMatchObject({ code: 'CAPTCHA_REQUIRED' })
  verifier.setMood('well')
  expect(await search('something')).toMatchObject({ code: 'CAPTCHA_FAILED' })
})

test('if the provider rejects our secret, requests are refused, and the operator gets a report without tokens', async () => {
  await using guarded = await openGuarded(storage, 'recaptcha', {
    secret: 'another',
    whenUnavailable: 'allow',
  })
  const token = guarded.verifier.mint({ action: 'search' })

  expect(await guarded.search(token)).toMatchObject({
    code: 'CAPTCHA_FAILED',
    error: 'The check is not set up correctly. Please tell the owner of this site.',
  })
  expect(guarded.api.faults.map(String)).toEqual(['Error: The verifier reported: invalid-input-secret'])
})

test('a token of invalid length is refused without calling the provider', async () => {
  await using guarded = await openGuarded(storage, 'turnstile')

  expect(await guarded.search('x'.repeat(8_193))).toMatchObject({ code: 'CAPTCHA_FAILED' })
  expect(await guarded.search('   ')).toMatchObject({ code: 'CAPTCHA_REQUIRED' })
  expect(guarded.verifier.asked).toEqual([])
})
