import { createHash } from 'node:crypto'
import { z } from 'zod'
import { requestJson, type JsonAnswer } from '../../platform/outbound/request-json.ts'
import type { PostOutcome } from '../platform-posts/platform-posts.ts'
import type { BotAccount } from './chat-platform.ts'

/** A token is renewed this long before it ends. */
const RENEWED_BEFORE_MS = 5 * 60 * 1_000
const MOST_TOKENS = 1_000

const Token = z.looseObject({
  access_token: z.string().min(1).max(10_000),
  expires_in: z.number().min(0).max(1_000_000),
})

const TokenRefusal = z.looseObject({ error: z.string().max(100) })

/** A platform gives no token, in words for the owner of the bot. */
export class NoToken extends Error {
  override readonly name = 'NoToken'
  /** It refuses the credentials: to try again does not help. */
  readonly isRefused: boolean

  constructor(message: string, isRefused: boolean) {
    super(message)
    this.isRefused = isRefused
  }

  /** What becomes of a post that needs one. */
  outcome(): PostOutcome {
    return this.isRefused ? { is: 'failed', because: this.message } : { is: 'again' }
  }
}

export interface TokenRequest {
  url: string
  form: URLSearchParams
}

/** The tokens with which bots post, kept until shortly before they end. */
export function createKeptTokens({
  now,
  giver,
  requestOf,
  decides,
  ifRefused,
}: {
  now: () => Date
  /** Who gives them. */
  giver: string
  /** @throws NoToken if there is nothing to ask with */
  requestOf: (account: BotAccount) => TokenRequest
  /** Everything of an account that decides which token it gets. */
  decides: (account: BotAccount) => unknown
  /** What the owner has to do if the credentials are not accepted. */
  ifRefused: (code: string) => string
}) {
  const kept = new Map<string, { token: string; until: number }>()

  const keyOf = (account: BotAccount) =>
    createHash('sha256')
      .update(JSON.stringify(decides(account)))
      .digest('hex')

  function problemOf({ status, body }: JsonAnswer): NoToken {
    const error = TokenRefusal.safeParse(body).data?.error ?? ''
    const code = /^[a-z_]{1,60}$/.test(error) ? error : `HTTP ${status}`
    return status >= 500 || status === 429
      ? new NoToken(`${giver} gave no token (${code}). Try again in a minute.`, false)
      : new NoToken(ifRefused(code), true)
  }

  async function ask(account: BotAccount): Promise<{ token: string; until: number }> {
    const { url, form } = requestOf(account)
    const answer = await requestJson(url, { method: 'POST', body: form }, account)
    const given = answer.status === 200 ? Token.safeParse(answer.body).data : undefined
    if (given === undefined) throw problemOf(answer)
    const { access_token: token, expires_in: seconds } = given
    return { token, until: now().getTime() + seconds * 1_000 - RENEWED_BEFORE_MS }
  }

  /** @throws NoToken, OutboundFailure */
  async function get(account: BotAccount): Promise<string> {
    const key = keyOf(account)
    const found = kept.get(key)
    if (found !== undefined && found.until > now().getTime()) return found.token
    const fresh = await ask(account)
    if (kept.size >= MOST_TOKENS) kept.clear()
    kept.set(key, fresh)
    return fresh.token
  }

  const forget = (account: BotAccount): void => void kept.delete(keyOf(account))

  return {
    get,
    forget,
    /** Sends with a token. One that was revoked before its end is renewed. @throws NoToken, OutboundFailure */
    send: async (account: BotAccount, send: (token: string) => Promise<JsonAnswer>): Promise<JsonAnswer> => {
      const answer = await send(await get(account))
      if (answer.status !== 401) return answer
      forget(account)
      return await send(await get(account))
    },
  }
}

export type KeptTokens = ReturnType<typeof createKeptTokens>
