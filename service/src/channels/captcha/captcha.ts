import type { CaptchaChallenge } from '@citewell/contract/captcha'
import type { CaptchaAction } from '@citewell/contract/endpoint'
import type { ClientKey } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { deleteExpiredTokens, spendToken, type CaptchaDb } from './captcha-store.ts'
import { createProofOfWork } from './proof-of-work.ts'
import { signingSecretOf } from './signing-secret.ts'
import { createSiteVerify, type SiteVerifySettings } from './site-verify.ts'
import type { TokenVerdict } from './token-verdict.ts'

export type CaptchaSettings = (
  | SiteVerifySettings
  | {
      provider: 'altcha'
      /** Signs challenges; undefined: a key derived from the master key. */
      secret: string | undefined
    }
) & {
  /** What happens to requests while the verifier is unavailable. */
  whenUnavailable: 'refuse' | 'allow'
}

export interface CaptchaDeps {
  db: CaptchaDb
  outbound: Pick<Outbound, 'fetchOutbound'>
  /** Undefined: CAPTCHA is off. */
  settings: CaptchaSettings | undefined
  /** Used if the settings have no secret. */
  masterKey: string
  now: () => Date
  /** Reports to the operator; never contains a token. */
  report: (fault: unknown, what: string) => void
}

export interface CaptchaCheck {
  clientKey: Pick<ClientKey, 'kind' | 'clientKeyId'>
  token: string | undefined
  action: CaptchaAction
  /** Address of the reader; a network (`2001:db8::/64`) is not sent to the verifier. */
  address: string | undefined
  signal: AbortSignal
}

/** What a client needs to get tokens. */
export interface CaptchaForClients {
  provider: CaptchaSettings['provider']
  /** With `altcha`: the path of challenges. */
  siteKey: string
}

/** The path at which `altcha` clients get challenges. */
const CHALLENGE_PATH = '/api/v1/public/captcha-challenge'

/** The largest real tokens have about 2,500 characters. */
const MAX_TOKEN_CHARACTERS = 8_192

/** Interval of deleting old spent tokens. */
const CLEANUP_INTERVAL_MS = 60_000

/** How long a token that could not be checked counts as spent: longer than any token is valid. */
const UNVERIFIED_TOKEN_SECONDS = 600

const NOT_PASSED = 'The check did not pass. Please try again.'
const USED = 'The check was used already. Please try again with a new one.'
const DOWN = 'The check is unavailable at the moment. Please try again shortly.'
const NOT_SET_UP = 'The check is not set up correctly. Please tell the owner of this site.'

const failed = (because: string, cause?: unknown) => new Refusal('CAPTCHA_FAILED', { because, cause })

/** CAPTCHA against automated use of public keys: one token for each protected request, whichever provider issues the tokens. */
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
  let cleanedUpAt = 0

  /** Whether this key must send a token with protected requests. Never for a secret pair. */
  function isRequired(clientKey: Pick<ClientKey, 'kind'>): boolean {
    return settings !== undefined && clientKey.kind === 'public'
  }

  /**
   * Accepts a token for one request.
   *
   * @throws Refusal CAPTCHA_REQUIRED without a token, CAPTCHA_FAILED for one that is not accepted
   */
  async function check({ clientKey, token, action, address, signal }: CaptchaCheck): Promise<void> {
    if (verify === undefined || !isRequired(clientKey)) return
    const given = token?.trim() ?? ''
    if (given === '') throw new Refusal('CAPTCHA_REQUIRED')
    if (given.length > MAX_TOKEN_CHARACTERS) throw failed(NOT_PASSED)
    const verdict = await verify({
      token: given,
      action,
      clientKeyId: clientKey.clientKeyId,
      address: address?.includes('/') === true ? undefined : address,
      signal,
    })
    if (!(await spend(accept(verdict, given)))) throw failed(USED)
  }

  /** What to mark as spent for a token that passed. */
  function accept(verdict: TokenVerdict, token: string): { spend: string; validSeconds: number } {
    switch (verdict.kind) {
      case 'passed':
        return verdict
      case 'refused':
        throw failed(verdict.because)
      case 'unavailable':
        report(verdict.cause, 'a CAPTCHA token could not be checked')
        if (settings?.whenUnavailable !== 'allow') throw failed(DOWN, verdict.cause)
        return { spend: token, validSeconds: UNVERIFIED_TOKEN_SECONDS }
      case 'misconfigured':
        report(verdict.cause, 'CAPTCHA tokens cannot be checked with these settings')
        throw failed(NOT_SET_UP, verdict.cause)
    }
  }

  async function spend({
    spend: text,
    validSeconds,
  }: {
    spend: string
    validSeconds: number
  }): Promise<boolean> {
    const time = now()
    if (time.getTime() - cleanedUpAt > CLEANUP_INTERVAL_MS) {
      cleanedUpAt = time.getTime()
      await deleteExpiredTokens(db, time)
    }
    const expiresAt = new Date(time.getTime() + validSeconds * 1_000)
    return await spendToken(db, { hash: hashSecret(text), expiresAt })
  }

  /** Undefined: CAPTCHA is off. */
  function clientSettings(): CaptchaForClients | undefined {
    if (settings === undefined) return undefined
    const siteKey = settings.provider === 'altcha' ? CHALLENGE_PATH : settings.siteKey
    return { provider: settings.provider, siteKey }
  }

  /** A challenge for one request. Throws NOT_FOUND if another provider issues the tokens, or CAPTCHA is off. */
  async function issueChallenge(clientKeyId: string, action: CaptchaAction): Promise<CaptchaChallenge> {
    if (proofOfWork === undefined)
      throw new Refusal('NOT_FOUND', { because: 'This service issues no challenges.' })
    return await proofOfWork.issue(clientKeyId, action)
  }

  return { isRequired, check, clientSettings, issueChallenge }
}

export type Captcha = ReturnType<typeof createCaptcha>
