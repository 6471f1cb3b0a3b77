import type { CaptchaSettings } from '../src/channels/captcha/captcha.ts'
import { FAKE_CAPTCHA_SECRET, FAKE_CAPTCHA_SITE_KEY, startFakeCaptcha } from './fake-captcha.ts'
import type { FakeCaptcha, FakeCaptchaProvider } from './fake-captcha.ts'
import { startPublicApi } from './start-public-api.ts'
import type { TestStorage } from './test-storage.ts'

/** The settings of a service that uses this verifier. */
export const captchaSettingsOf = (
  provider: FakeCaptchaProvider,
  verifier: FakeCaptcha,
  given: Partial<Extract<CaptchaSettings, { siteKey: string }>> = {},
): CaptchaSettings => ({
  provider,
  siteKey: FAKE_CAPTCHA_SITE_KEY,
  secret: FAKE_CAPTCHA_SECRET,
  minScore: 0.5,
  hostnames: [],
  verifyUrl: verifier.verifyUrl,
  whenUnavailable: 'refuse',
  ...given,
})

/** A verifier, a public API that uses it, and a base with a public key. */
export async function openGuarded(
  storage: TestStorage,
  provider: FakeCaptchaProvider,
  given: Partial<Extract<CaptchaSettings, { siteKey: string }>> = {},
) {
  const verifier = await startFakeCaptcha(provider)
  const api = await startPublicApi({ storage, captcha: captchaSettingsOf(provider, verifier, given) })
  const base = await api.makeAskable([{ title: 'Keys', text: 'Keys rotate daily.' }])
  const search = async (token: string | undefined, headers: Record<string, string> = {}) => {
    const response = await api.send(`/public/knowledge-bases/${base.id}/search`, {
      headers: {
        'x-client-key': base.key,
        ...(token !== undefined && { 'x-captcha-token': token }),
        ...headers,
      },
      body: { query: 'keys' },
    })
    const body = (await response.json()) as { code?: string; error?: string; retryable?: boolean }
    return { status: response.status, ...body }
  }
  return {
    verifier,
    api,
    base,
    search,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]()
      await verifier[Symbol.asyncDispose]()
    },
  }
}
