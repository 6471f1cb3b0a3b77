import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const captchaOf = (environment: Record<string, string>) => readSettings(environment).captcha

test('CAPTCHA is off unless a provider is set', () => {
  expect(captchaOf({})).toBeUndefined()
  expect(captchaOf({ CITEWELL_CAPTCHA_PROVIDER: '' })).toBeUndefined()
})

test('a provider comes with its pair, and with what counts where nothing else is said', () => {
  expect(
    captchaOf({
      CITEWELL_CAPTCHA_PROVIDER: 'turnstile',
      CITEWELL_CAPTCHA_SITE_KEY: 'site',
      CITEWELL_CAPTCHA_SECRET: 'secret',
      CITEWELL_CAPTCHA_HOSTNAMES: 'Docs.example.com, help.example.com,',
    }),
  ).toEqual({
    provider: 'turnstile',
    siteKey: 'site',
    secret: 'secret',
    minScore: 0.5,
    hostnames: ['docs.example.com', 'help.example.com'],
    verifyUrl: undefined,
    whenUnavailable: 'refuse',
  })
})

test('the self-hosted one needs nothing', () => {
  expect(captchaOf({ CITEWELL_CAPTCHA_PROVIDER: 'altcha' })).toEqual({
    provider: 'altcha',
    secret: undefined,
    whenUnavailable: 'refuse',
  })
})

test.each([
  [{ CITEWELL_CAPTCHA_PROVIDER: 'hcaptcha' }, 'CITEWELL_CAPTCHA_SITE_KEY: is needed'],
  [
    { CITEWELL_CAPTCHA_PROVIDER: 'hcaptcha', CITEWELL_CAPTCHA_SITE_KEY: 'x' },
    'CITEWELL_CAPTCHA_SECRET: is needed',
  ],
  [{ CITEWELL_CAPTCHA_SECRET: 'x' }, 'CITEWELL_CAPTCHA_PROVIDER: is needed'],
  [{ CITEWELL_CAPTCHA_PROVIDER: 'other' }, 'CITEWELL_CAPTCHA_PROVIDER: '],
  [{ CITEWELL_CAPTCHA_PROVIDER: 'altcha', CITEWELL_CAPTCHA_MIN_SCORE: '2' }, 'CITEWELL_CAPTCHA_MIN_SCORE: '],
  [{ CITEWELL_CAPTCHA_WHEN_DOWN: 'maybe' }, 'CITEWELL_CAPTCHA_WHEN_DOWN: '],
])('%j is told as a fault', (environment, fault) => {
  expect(() => captchaOf(environment)).toThrow(fault)
})
