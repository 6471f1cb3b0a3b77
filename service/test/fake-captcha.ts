import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type FakeCaptchaProvider = 'recaptcha' | 'hcaptcha' | 'turnstile'

/** A token that a page fetched, as the provider knows it. */
export interface MintedToken {
  action?: string
  /** For reCAPTCHA, 1 is a human. For hCaptcha (enterprise), 1 is a bot. */
  score?: number
  hostname?: string
  solvedAt?: Date
}

/** The behaviour of the verifier. `forgets`: it does not detect a token that was used before. */
export type FakeCaptchaMood =
  | 'well'
  | 'forgets'
  | 'down'
  | 'slow'
  | 'garbage'
  | 'error-500'
  | 'internal-error'

export const FAKE_CAPTCHA_SECRET = 'secret-of-the-site'
export const FAKE_CAPTCHA_SITE_KEY = 'site-key-of-the-site'

const LASTS_SECONDS: Record<FakeCaptchaProvider, number> = { recaptcha: 120, hcaptcha: 120, turnstile: 300 }

const SPENT_OR_OLD: Record<FakeCaptchaProvider, string> = {
  recaptcha: 'timeout-or-duplicate',
  hcaptcha: 'already-seen-response',
  turnstile: 'timeout-or-duplicate',
}

/**
 * The `siteverify` endpoint of a provider on its own port: form-encoded requests, the response format of each provider, and tokens that
 * are valid once, for the time that the provider documents.
 *
 * @example
 * await using verifier = await startFakeCaptcha('turnstile')
 * const token = verifier.mint({ action: 'chat' })
 */
export async function startFakeCaptcha(provider: FakeCaptchaProvider) {
  const minted = new Map<string, Required<Omit<MintedToken, 'score'>> & Pick<MintedToken, 'score'>>()
  const spent = new Set<string>()
  const asked: Record<string, string>[] = []
  let mood: FakeCaptchaMood = 'well'

  function judge(form: Record<string, string>): Record<string, unknown> {
    const refuse = (...codes: string[]) => ({ success: false, 'error-codes': codes })
    if (form['secret'] === undefined) return refuse('missing-input-secret')
    if (form['secret'] !== FAKE_CAPTCHA_SECRET) return refuse('invalid-input-secret')
    if (provider === 'hcaptcha' && (form['sitekey'] ?? FAKE_CAPTCHA_SITE_KEY) !== FAKE_CAPTCHA_SITE_KEY)
      return refuse('sitekey-secret-mismatch')
    const response = form['response'] ?? ''
    if (response === '') return refuse('missing-input-response')
    const token = minted.get(response)
    if (token === undefined) return refuse('invalid-input-response')
    const ageSeconds = (Date.now() - token.solvedAt.getTime()) / 1_000
    const isSpent = spent.has(response) && mood !== 'forgets'
    if (isSpent || (ageSeconds > LASTS_SECONDS[provider] && mood !== 'forgets'))
      return refuse(SPENT_OR_OLD[provider])
    spent.add(response)
    const said = { success: true, challenge_ts: token.solvedAt.toISOString(), hostname: token.hostname }
    const score = token.score === undefined ? {} : { score: token.score }
    switch (provider) {
      case 'recaptcha':
        return { ...said, score: token.score ?? 0.9, action: token.action }
      case 'hcaptcha':
        return { ...said, credit: false, ...score }
      case 'turnstile':
        return { ...said, 'error-codes': [], action: token.action, cdata: '' }
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    asked.push({ ...form, method: request.method ?? '', type: request.headers['content-type'] ?? '' })
    if (mood === 'down') return void request.socket.destroy()
    if (mood === 'slow') return // Until the caller gives up.
    response.setHeader('content-type', 'application/json')
    if (mood === 'error-500') return void response.writeHead(500).end('{"success":true}')
    if (mood === 'garbage') return void response.end('<html>Sorry</html>')
    if (mood === 'internal-error')
      return void response.end('{"success":false,"error-codes":["internal-error"]}')
    response.end(JSON.stringify(judge(form)))
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    verifyUrl: `http://127.0.0.1:${port}/siteverify`,
    /** Every received request: its form, method and content type. */
    asked,
    mint: (given: MintedToken = {}): string => {
      const token = `${provider}.${randomBytes(24).toString('base64url')}`
      const made = { action: 'chat', hostname: 'docs.example.com', solvedAt: new Date() }
      minted.set(token, { ...made, ...given })
      return token
    },
    setMood: (now: FakeCaptchaMood) => {
      mood = now
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type FakeCaptcha = Awaited<ReturnType<typeof startFakeCaptcha>>
