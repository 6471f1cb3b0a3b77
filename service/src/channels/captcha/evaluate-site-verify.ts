import type { CaptchaAction } from '@citewell/contract/endpoint'
import { z } from 'zod'
import type { TokenVerdict } from './token-verdict.ts'

export type SiteVerifyProvider = 'recaptcha' | 'hcaptcha' | 'turnstile'

/** The response of all three providers; each sends only some of the fields. */
const SiteVerifyAnswer = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  action: z.string().optional(),
  hostname: z.string().optional(),
  challenge_ts: z.string().optional(),
  'error-codes': z.array(z.string()).optional(),
})

interface ProviderRules {
  /** Validity of a token in seconds after the challenge, as the provider documents it. */
  validSeconds: number
  namesAction: boolean
  /** Converts the score to trust in the reader, 0 to 1; undefined if the provider sends none. */
  trust: (score: number | undefined) => number | undefined
  needsScore: boolean
}

const PROVIDER_RULES: Record<SiteVerifyProvider, ProviderRules> = {
  recaptcha: { validSeconds: 120, namesAction: true, trust: (score) => score, needsScore: true },
  // Its score, which enterprise accounts get, measures risk: 0 is a person, 1 a bot.
  hcaptcha: {
    validSeconds: 120,
    namesAction: false,
    trust: (score) => (score === undefined ? undefined : 1 - score),
    needsScore: false,
  },
  turnstile: { validSeconds: 300, namesAction: true, trust: () => undefined, needsScore: false },
}

/** Allowed clock difference to the provider, and time for solving a challenge after its timestamp. */
const CLOCK_LEEWAY_SECONDS = 60

/** Error codes about our request, not about the reader's token. */
const CONFIGURATION_ERRORS = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'bad-request',
  'invalid-sitekey',
  'invalid-keys',
])

const SPENT_OR_OLD = new Set([
  'timeout-or-duplicate',
  'already-seen-response',
  'invalid-or-already-seen-response',
  'expired-input-response',
])

export interface EvaluateInput {
  provider: SiteVerifyProvider
  token: string
  action: CaptchaAction
  /** 0 to 1: readers with less trust are refused, if the provider scores them. */
  minScore: number
  /** Hosts whose pages may get tokens; empty for any. */
  hostnames: readonly string[]
  now: Date
}

const NOT_PASSED = 'The check did not pass. Please try again.'
const TOO_OLD = 'The check has expired or was used already. Please try again with a new one.'

const refused = (because: string): TokenVerdict => ({ kind: 'refused', because })

/** Evaluates the response of a verifier. A missing field that the provider should send counts against the token. */
export function evaluateSiteVerify(answer: unknown, given: EvaluateInput): TokenVerdict {
  const parsed = SiteVerifyAnswer.safeParse(answer)
  if (!parsed.success)
    return { kind: 'unavailable', cause: new Error('The verifier sent an invalid response.') }
  const result = parsed.data
  if (!result.success) return evaluateFailure(result['error-codes'] ?? [])
  const rules = PROVIDER_RULES[given.provider]
  const solvedAt = Date.parse(result.challenge_ts ?? '')
  const ageSeconds = (given.now.getTime() - solvedAt) / 1_000
  if (Number.isNaN(ageSeconds)) return refused(NOT_PASSED)
  if (ageSeconds > rules.validSeconds + CLOCK_LEEWAY_SECONDS || ageSeconds < -CLOCK_LEEWAY_SECONDS)
    return refused(TOO_OLD)
  if (given.hostnames.length > 0 && !given.hostnames.includes(result.hostname?.toLowerCase() ?? ''))
    return refused(NOT_PASSED)
  if (rules.namesAction && result.action !== given.action)
    return refused('The check was made for something else. Please try again with a new one.')
  const trust = rules.trust(result.score)
  if (trust === undefined ? rules.needsScore : trust < given.minScore) return refused(NOT_PASSED)
  return { kind: 'passed', spend: given.token, validSeconds: rules.validSeconds + 2 * CLOCK_LEEWAY_SECONDS }
}

function evaluateFailure(codes: readonly string[]): TokenVerdict {
  const reportedError = () => new Error(`The verifier reported: ${codes.join(', ')}`)
  if (codes.some((code) => CONFIGURATION_ERRORS.has(code)))
    return { kind: 'misconfigured', cause: reportedError() }
  if (codes.includes('internal-error')) return { kind: 'unavailable', cause: reportedError() }
  return refused(codes.some((code) => SPENT_OR_OLD.has(code)) ? TOO_OLD : NOT_PASSED)
}
