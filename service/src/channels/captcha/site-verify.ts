import { parseJson } from '../../kernel/json.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { judgeSiteVerify, type SiteVerifyProvider } from './judge-site-verify.ts'
import type { TokenVerdict, VerifyToken } from './token-verdict.ts'

/** Where each provider documents its check. */
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
  /** Instead of the provider's own address. */
  verifyUrl: string | undefined
}

/** Longer than any honest answer takes; the reader is waiting. */
const TIME_LIMIT_MS = 3_000

/** Answers are a few hundred bytes. */
const MOST_BYTES = 65_536

/** Asks a provider's `siteverify` about each token: the three share its form, and differ in what they answer. */
export function createSiteVerify(
  settings: SiteVerifySettings,
  deps: { outbound: Pick<Outbound, 'fetchOutbound'>; now: () => Date },
): VerifyToken {
  const { provider, siteKey, secret } = settings
  const url = settings.verifyUrl ?? VERIFY_URLS[provider]

  return async ({ token, action, address, signal }): Promise<TokenVerdict> => {
    const form = new URLSearchParams({ secret, response: token })
    if (address !== undefined) form.set('remoteip', address)
    // hCaptcha alone refuses a token of another site key when it is told ours.
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
        maxBytes: MOST_BYTES,
        signal,
      })
      const text = await response.text()
      if (response.status >= 500 || response.status === 429)
        return { kind: 'unavailable', cause: new Error(`The verifier answers ${response.status}.`) }
      answer = parseJson(text)
    } catch (cause) {
      signal.throwIfAborted()
      return { kind: 'unavailable', cause }
    }
    return judgeSiteVerify(answer, { ...settings, token, action, now: deps.now() })
  }
}
