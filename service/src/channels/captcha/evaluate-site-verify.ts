import type { CaptchaAction } from '@citewell/contract/endpoint'
import { z } from 'zod'
import type { TokenVerdict } from './token-verdict.ts'

export type SiteVerifyProvider = 'recaptcha' | 'hcaptcha' | 'turnstile'

/** What the three answer, of which each gives a part. */
const SiteVerifyAnswer = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  action: z.string().optional(),
  hostname: z.string().optional(),
  challenge_ts: z.string().optional(),
  'error-codes': z.array(z.string()).optional(),
})

interface ProviderRules {
  /** Seconds after the challenge in which a token may be shown, as the provider documents it. */
  lasts: number
  namesAction: boolean
  /** How much the score says for the reader, 0 to 1; undefined where the provider gives none. */
  trust: (score: number | undefined) => number | undefined
  needsScore: boolean
}

const PROVIDER_RULES: Record<SiteVerifyProvider, ProviderRules> = {
  recaptcha: { lasts: 120, namesAction: true, trust: (score) => score, needsScore: true },
  // Its score, which enterprise accounts get, is one of risk: 0 is a person, 1 a bot.
  hcaptcha: {
    lasts: 120,
    namesAction: false,
    trust: (score) => (score === undefined ? undefined : 1 - score),
    needsScore: false,
  },
  turnstile: { lasts: 300, namesAction: true, trust: () => undefined, needsScore: false },
}

/** How far the provider's clock and ours may be apart, and how long a challenge may take to be solved after its time. */
const CLOCK_LEEWAY_SECONDS = 60

/** Codes about the request that we made, not about the reader's token. */
const OUR_FAULTS = new Set([
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

export interface JudgeGiven {
  provider: SiteVerifyProvider
  token: string
  action: CaptchaAction
  /** 0 to 1: readers below it are refused, where the provider scores them. */
  minScore: number
  /** Pages on which tokens may be fetched; empty for any. */
  hostnames: readonly string[]
  now: Date
}

const NOT_PASSED = 'The check did not pass. Please try again.'
const TOO_OLD = 'The check has expired or was used already. Please try again with a new one.'

const refused = (because: string): TokenVerdict => ({ kind: 'refused', because })

/** What a verifier's answer says of a token. Whatever it does not say, where it has to, counts against the token. */
export function judgeSiteVerify(answer: unknown, given: JudgeGiven): TokenVerdict {
  const parsed = SiteVerifyAnswer.safeParse(answer)
  if (!parsed.success) return { kind: 'unavailable', cause: new Error('The verifier sent no proper answer.') }
  const said = parsed.data
  if (!said.success) return judgeFailure(said['error-codes'] ?? [])
  const rules = PROVIDER_RULES[given.provider]
  const solvedAt = Date.parse(said.challenge_ts ?? '')
  const ageSeconds = (given.now.getTime() - solvedAt) / 1_000
  if (Number.isNaN(ageSeconds)) return refused(NOT_PASSED)
  if (ageSeconds > rules.lasts + CLOCK_LEEWAY_SECONDS || ageSeconds < -CLOCK_LEEWAY_SECONDS)
    return refused(TOO_OLD)
  if (given.hostnames.length > 0 && !given.hostnames.includes(said.hostname?.toLowerCase() ?? ''))
    return refused(NOT_PASSED)
  if (rules.namesAction && said.action !== given.action)
    return refused('The check was made for something else. Please try again with a new one.')
  const trust = rules.trust(said.score)
  if (trust === undefined ? rules.needsScore : trust < given.minScore) return refused(NOT_PASSED)
  return { kind: 'passed', spend: given.token, lasts: rules.lasts + 2 * CLOCK_LEEWAY_SECONDS }
}

function judgeFailure(codes: readonly string[]): TokenVerdict {
  const told = () => new Error(`The verifier says: ${codes.join(', ')}`)
  if (codes.some((code) => OUR_FAULTS.has(code))) return { kind: 'misconfigured', cause: told() }
  if (codes.includes('internal-error')) return { kind: 'unavailable', cause: told() }
  return refused(codes.some((code) => SPENT_OR_OLD.has(code)) ? TOO_OLD : NOT_PASSED)
}
