import { z } from 'zod'
import type { CaptchaSettings } from '../channels/captcha/captcha.ts'
import { emptyIsUnset, oneOf, webAddress } from './read-environment.ts'

const optionalText = emptyIsUnset(z.string().optional())
const PROVIDERS = ['recaptcha', 'hcaptcha', 'turnstile', 'altcha'] as const

/** The settings of CAPTCHA, to be spread among the others. */
export const captchaEnvironment = {
  CITEWELL_CAPTCHA_PROVIDER: emptyIsUnset(oneOf(...PROVIDERS).optional()),
  CITEWELL_CAPTCHA_SITE_KEY: optionalText,
  CITEWELL_CAPTCHA_SECRET: optionalText,
  CITEWELL_CAPTCHA_MIN_SCORE: emptyIsUnset(
    z.coerce
      .number({ error: 'must be a number from 0 to 1' })
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1')
      .default(0.5),
  ),
  CITEWELL_CAPTCHA_HOSTNAMES: emptyIsUnset(z.string().default('')),
  CITEWELL_CAPTCHA_VERIFY_URL: emptyIsUnset(webAddress().optional()),
  CITEWELL_CAPTCHA_WHEN_DOWN: emptyIsUnset(oneOf('refuse', 'allow').default('refuse')),
}

type CaptchaEnvironment = z.output<z.ZodObject<typeof captchaEnvironment>>

/** What is wrong with the settings of CAPTCHA together: the name of a setting, and the words. */
export function captchaFaults(read: CaptchaEnvironment): [keyof CaptchaEnvironment, string][] {
  const provider = read.CITEWELL_CAPTCHA_PROVIDER
  if (provider === undefined || provider === 'altcha')
    return provider === undefined && read.CITEWELL_CAPTCHA_SECRET !== undefined
      ? [['CITEWELL_CAPTCHA_PROVIDER', 'is needed with CITEWELL_CAPTCHA_SECRET']]
      : []
  if (!PROVIDERS.includes(provider)) return []
  const needed = ['CITEWELL_CAPTCHA_SITE_KEY', 'CITEWELL_CAPTCHA_SECRET'] as const
  return needed
    .filter((name) => read[name] === undefined)
    .map((name) => [name, `is needed with CITEWELL_CAPTCHA_PROVIDER=${provider}`])
}

/** Undefined: CAPTCHA is off. */
export function captchaSettingsOf(read: CaptchaEnvironment): CaptchaSettings | undefined {
  const {
    CITEWELL_CAPTCHA_PROVIDER: provider,
    CITEWELL_CAPTCHA_SITE_KEY: siteKey,
    CITEWELL_CAPTCHA_SECRET: secret,
    CITEWELL_CAPTCHA_WHEN_DOWN: whenUnavailable,
  } = read
  if (provider === undefined) return undefined
  if (provider === 'altcha') return { provider, secret, whenUnavailable }
  if (siteKey === undefined || secret === undefined) return undefined
  const hostnames = read.CITEWELL_CAPTCHA_HOSTNAMES.split(',').map((name) => name.trim().toLowerCase())
  return {
    provider,
    siteKey,
    secret,
    whenUnavailable,
    minScore: read.CITEWELL_CAPTCHA_MIN_SCORE,
    hostnames: hostnames.filter((name) => name !== ''),
    verifyUrl: read.CITEWELL_CAPTCHA_VERIFY_URL,
  }
}
