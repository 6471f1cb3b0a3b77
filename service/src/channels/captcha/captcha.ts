import type { CaptchaChallenge } from '@citewell/contract/captcha'
import type { CaptchaAction } from '@citewell/contract/endpoint'
import type { ClientKey } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { forgetSpentTokens, spendToken, type CaptchaDb } from './captcha-store.ts'
import { createProofOfWork } from './proof-of-work.ts'
import { signingSecretOf } from './signing-secret.ts'
import { createSiteVerify, type SiteVerifySettings } from './site-verify.ts'
import type { TokenVerdict } from './token-verdict.ts'

export type { CaptchaDb } from './captcha-store.ts'

export type CaptchaSettings = (
  | SiteVerifySettings
  | {
      provider: 'altcha'
      /** What challenges are signed with; undefined: what is made from the master key. */
      secret: string | undefined
    }
) & {
  /** What happens to requests while the verifier cannot be asked. */
  whenDown: 'refuse' | 'allow'
}

export interface CaptchaDeps {
  db: CaptchaDb
  outbound: Pick<Outbound, 'fetchOutbound'>
  /** Undefined: CAPTCHA is off. */
  settings: CaptchaSettings | undefined
  /** Stands in where the settings have no secret of their own. */
  masterKey: string
  now: () => Date
  /** Told what the operator should know; never holds a token. */
  report: (fault: unknown, what: string) => void
}

export interface CaptchaCheck {
  clientKey: Pick<ClientKey, 'kind' | 'clientKeyId'>
  token: string | undefined
  action: CaptchaAction
  /** Of the reader; a network (`2001:db8::/64`) is not told to the verifier. */
  address: string | undefined
  signal: AbortSignal
}

/** What a client needs to fetch tokens. */
export interface CaptchaForClients {
  provider: CaptchaSettings['provider']
  /** Of `altcha`: where it fetches challenges. */
  siteKey: string
}

/** Where `altcha` clients fetch challenges. */
const CHALLENGE_PATH = '/api/v1/public/captcha-challenge'

/** The largest real ones have some 2,500 characters. */
const MOST_TOKEN_CHARACTERS = 8_192

/** How often spent tokens that are too old are looked for. */
const FORGET_EVERY_MS = 60_000

/** How long a token that could not be checked stays spent: longer than any of them is valid. */
const TOKEN_LASTS_SECONDS = 600

const NOT_PASSED = 'The check did not pass. Please try again.'
const USED = 'The check was used already. Please try again with a new one.'
const DOWN = 'The check cannot be made at the moment. Please try again shortly.'
const NOT_SET_UP = 'The check is not set up correctly. Please tell the owner of this site.'

const failed = (because: string, cause?: unknown) => new Refusal('CAPTCHA_FAILED', { because, cause })

/** Keeps programs away from what public keys may do: one token for each gated request, whoever issues them. */
export function createCaptcha({ db, outbound, settings, masterKey, now, report }: CaptchaDeps) {
  const proofOfWork =
    settings?.provider === 'altcha'
      ? createProofOfWork({
          signingSecret: signingSecretOf(settings.secret ?? masterKey),
          now,
        })
      : undefined
  const verify =
    settings === undefined || settings.provider === 'altcha'
      ? proofOfWork?.verify
      : createSiteVerify(settings, { outbound, now })
  let forgottenAt = 0

  /** Whether this key must send a token with what is gated. A secret pair never. */
  function isRequired(clientKey: Pick<ClientKey, 'kind'>): boolean {
    return settings !== undefined && clientKey.kind === 'public'
  }

  /**
   * Lets a request pass, once for each token.
   *
   * @throws Refusal CAPTCHA_REQUIRED without a token, CAPTCHA_FAILED for one that is not accepted
   */
  async function check({ clientKey, token, action, address, signal }: CaptchaCheck): Promise<void> {
    if (verify === undefined || !isRequired(clientKey)) return
    const given = token?.trim() ?? ''
    if (given === '') throw new Refusal('CAPTCHA_REQUIRED')
    if (given.length > MOST_TOKEN_CHARACTERS) throw failed(NOT_PASSED)
    const verdict = await verify({
      token: given,
      action,
      clientKeyId: clientKey.clientKeyId,
      address: address?.includes('/') === true ? undefined : address,
      signal,
    })
    if (!(await spend(accept(verdict, given)))) throw failed(USED)
  }

  /** What is to be spent for a token that passed. */
  function accept(verdict: TokenVerdict, token: string): { spend: string; lasts: number } {
    switch (verdict.kind) {
      case 'passed':
        return verdict
      case 'refused':
        throw failed(verdict.because)
      case 'unavailable':
        report(verdict.cause, 'a CAPTCHA token could not be checked')
        if (settings?.whenDown !== 'allow') throw failed(DOWN, verdict.cause)
        return { spend: token, lasts: TOKEN_LASTS_SECONDS }
      case 'misconfigured':
        report(verdict.cause, 'CAPTCHA tokens cannot be checked with these settings')
        throw failed(NOT_SET_UP, verdict.cause)
    }
  }

  async function spend({ spend: text, lasts }: { spend: string; lasts: number }): Promise<boolean> {
    const time = now()
    if (time.getTime() - forgottenAt > FORGET_EVERY_MS) {
      forgottenAt = time.getTime()
      await forgetSpentTokens(db, time)
    }
    const expiresAt = new Date(time.getTime() + lasts * 1_000)
    return await spendToken(db, { hash: hashSecret(text), expiresAt })
  }

  /** Undefined: CAPTCHA is off. */
  function forClients(): CaptchaForClients | undefined {
    if (settings === undefined) return undefined
    const siteKey = settings.provider === 'altcha' ? CHALLENGE_PATH : settings.siteKey
    return { provider: settings.provider, siteKey }
  }

  /** A challenge to be solved for one request. Throws NOT_FOUND where tokens come from somebody else, or from nobody. */
  async function issueChallenge(clientKeyId: string, action: CaptchaAction): Promise<CaptchaChallenge> {
    if (proofOfWork === undefined)
      throw new Refusal('NOT_FOUND', { because: 'This service issues no challenges.' })
    return await proofOfWork.issue(clientKeyId, action)
  }

  return { isRequired, check, forClients, issueChallenge }
}

export type Captcha = ReturnType<typeof createCaptcha>
