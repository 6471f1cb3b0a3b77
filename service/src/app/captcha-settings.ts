import { z } from 'zod'
import type { CaptchaSettings } from '../channels/captcha/captcha.ts'

const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value)
const optionalText = z.preprocess(emptyIsUnset, z.string().optional())

/** The settings of CAPTCHA, to be spread among the others. */
export const captchaEnvironment = {
  CITEWELL_CAPTCHA_PROVIDER: z.preprocess(
    emptyIsUnset,
    z.enum(['recaptcha', 'hcaptcha', 'turnstile', 'altcha']).optional(),
  ),
  CITEWELL_CAPTCHA_SITE_KEY: optionalText,
  CITEWELL_CAPTCHA_SECRET: optionalText,
  CITEWELL_CAPTCHA_MIN_SCORE: z.preprocess(emptyIsUnset, z.coerce.number().min(0).max(1).default(0.5)),
  CITEWELL_CAPTCHA_HOSTNAMES: z.preprocess(emptyIsUnset, z.string().default('')),
  CITEWELL_CAPTCHA_VERIFY_URL: z.preprocess(emptyIsUnset, z.url({ protocol: /^https?$/ }).optional()),
  CITEWELL_CAPTCHA_WHEN_DOWN: z.preprocess(emptyIsUnset, z.enum(['refuse', 'allow']).default('refuse')),
}

type CaptchaEnvironment = z.output<z.ZodObject<typeof captchaEnvironment>>

/** What is wrong with the settings of CAPTCHA together: the name of a setting, and the words. */
export function captchaFaults(read: CaptchaEnvironment): [keyof CaptchaEnvironment, string][] {
  const provider = read.CITEWELL_CAPTCHA_PROVIDER
  if (provider === undefined || provider === 'altcha') {
    return provider === undefined && read.CITEWELL_CAPTCHA_SECRET !== undefined
      ? [['CITEWELL_CAPTCHA_PROVIDER', 'is needed with CITEWELL_CAPTCHA_SECRET']]
      : []
  }
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
    CITEWELL_CAPTCHA_WHEN_DOWN: whenDown,
  } = read
  if (provider === undefined) return undefined
  if (provider === 'altcha') return { provider, secret, whenDown }
  if (siteKey === undefined || secret === undefined) return undefined
  const hostnames = read.CITEWELL_CAPTCHA_HOSTNAMES.split(',').map((name) => name.trim().toLowerCase())
  return {
    provider,
    siteKey,
    secret,
    whenDown,
    minScore: read.CITEWELL_CAPTCHA_MIN_SCORE,
    hostnames: hostnames.filter((name) => name !== ''),
    verifyUrl: read.CITEWELL_CAPTCHA_VERIFY_URL,
  }
}
