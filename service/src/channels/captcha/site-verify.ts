import { parseJson } from '../../kernel/json.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { evaluateSiteVerify, type SiteVerifyProvider } from './evaluate-site-verify.ts'
import type { TokenVerdict, VerifyToken } from './token-verdict.ts'

/** The documented endpoint of each provider. */
const VERIFY_URLS: Record<SiteVerifyProvider, string> = {
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
}

export interface SiteVerifySettings {
  provider: SiteVerifyProvider
  siteKey: string
  secret: string
  minScore: number
  hostnames: readonly string[]
  /** Replaces the provider's own address. */
  verifyUrl: string | undefined
}

/** Longer than any regular response takes; the reader is waiting. */
const TIME_LIMIT_MS = 3_000

/** Responses have a few hundred bytes. */
const MAX_BYTES = 65_536

/** Verifies each token with a provider's `siteverify`: the three share the request format, and differ in their responses. */
export function createSiteVerify(
  settings: SiteVerifySettings,
  deps: { outbound: Pick<Outbound, 'fetchOutbound'>; now: () => Date },
): VerifyToken {
  const { provider, siteKey, secret } = settings
  const url = settings.verifyUrl ?? VERIFY_URLS[provider]

  return async ({ token, action, address, signal }): Promise<TokenVerdict> => {
    const form = new URLSearchParams({ secret, response: token })
    if (address !== undefined) form.set('remoteip', address)
    // Only hCaptcha refuses a token of another site key if it gets ours.
    if (provider === 'hcaptcha') form.set('sitekey', siteKey)
    let answer: unknown
    try {
      const response = await deps.outbound.fetchOutbound(url, {
        chosenBy: 'operator',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
        followRedirects: false,
        timeoutMs: TIME_LIMIT_MS,
        maxBytes: MAX_BYTES,
        signal,
      })
      const text = await response.text()
      if (response.status >= 500 || response.status === 429)
        return {
          kind: 'unavailable',
          cause: new Error(`The verifier answered with status ${response.status}.`),
        }
      answer = parseJson(text)
    } catch (cause) {
      signal.throwIfAborted()
      return { kind: 'unavailable', cause }
    }
    return evaluateSiteVerify(answer, { ...settings, token, action, now: deps.now() })
  }
}
