import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import {
  GOOGLE_TOKEN_URL,
  parseServiceAccountKey,
  serviceAccountGrant,
} from '../../../../kernel/service-account-key.ts'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { BotAccount } from '../../chat-platform.ts'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_048_576
/** A token is renewed this long before it ends. */
const RENEWED_BEFORE_MS = 5 * 60 * 1_000
const MOST_TOKENS = 1_000

const SCOPE = 'https://www.googleapis.com/auth/chat.bot'
const DEFAULT_API = 'https://chat.googleapis.com'
const DEFAULT_KEYS = 'https://www.googleapis.com'

const Token = z.looseObject({
  access_token: z.string().min(1).max(10_000),
  expires_in: z.number().min(0).max(1_000_000),
})

const TokenRefusal = z.looseObject({ error: z.string().max(100) })

/** Where Google has its messages, its tokens, and the keys of its requests. */
export interface GoogleChatAddresses {
  api: string
  tokenUrl: string
  /** Of requests that name the number of a project. */
  chatKeysUrl: string
  /** Of those that name an address. */
  keysUrl: string
}

/** Those of Google; one that is set has all of it. Undefined if it is no https address. */
export function googleChatAddresses(config: Record<string, unknown>): GoogleChatAddresses | undefined {
  const api = apiAddress(config, DEFAULT_API)
  if (api === undefined) return undefined
  const keys = api === DEFAULT_API ? DEFAULT_KEYS : api
  return {
    api,
    tokenUrl: api === DEFAULT_API ? GOOGLE_TOKEN_URL : `${api}/token`,
    chatKeysUrl: `${keys}/service_accounts/v1/jwk/chat@system.gserviceaccount.com`,
    keysUrl: `${keys}/oauth2/v3/certs`,
  }
}

/** Google gives no token, in words for the owner of the bot. */
export class NoGoogleToken extends Error {
  override readonly name = 'NoGoogleToken'
  /** Google refuses the credentials: to try again does not help. */
  readonly isRefused: boolean

  constructor(message: string, isRefused: boolean) {
    super(message)
    this.isRefused = isRefused
  }
}

const HOW =
  'Google Cloud console, IAM & Admin, Service Accounts, the account, Keys, Add key, JSON: enter the whole file.'

export const KEY_UNREADABLE = `The credential service_account is not the JSON key of a service account. ${HOW}`

const tokenProblem = (status: number, body: unknown): NoGoogleToken => {
  const error = TokenRefusal.safeParse(body).data?.error ?? ''
  const code = /^[a-z_]{1,60}$/.test(error) ? error : `HTTP ${status}`
  if (status >= 500 || status === 429)
    return new NoGoogleToken(`Google gave no token (${code}). Try again in a minute.`, false)
  return new NoGoogleToken(
    `Google does not accept the key of the service account (${code}): it was deleted, or the account was, or the clock of this machine is wrong. ${HOW}`,
    true,
  )
}

/** The tokens with which bots post, kept until shortly before they end. */
export function createGoogleChatTokens(now: () => Date) {
  const kept = new Map<string, { token: string; until: number }>()

  const keyOf = ({ credentials, config }: BotAccount) =>
    createHash('sha256')
      .update(JSON.stringify([credentials['service_account'], config['api_url']]))
      .digest('hex')

  function grant({ credentials }: BotAccount): URLSearchParams {
    const key = parseServiceAccountKey(credentials['service_account'] ?? '')
    if (key === undefined) throw new NoGoogleToken(KEY_UNREADABLE, true)
    try {
      return new URLSearchParams(serviceAccountGrant(key, { scope: SCOPE, now: now().getTime() }))
    } catch {
      throw new NoGoogleToken(`The private key in the credential service_account is damaged. ${HOW}`, true)
    }
  }

  async function request(account: BotAccount): Promise<{ token: string; until: number }> {
    const addresses = googleChatAddresses(account.config)
    if (addresses === undefined) throw new NoGoogleToken('The setting api_url is not an https address.', true)
    const response = await account.fetchOutbound(addresses.tokenUrl, {
      chosenBy: 'customer',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: grant(account).toString(),
      signal: account.signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      followRedirects: false,
    })
    const body = parseJson(await response.text())
    const given = response.status === 200 ? Token.safeParse(body).data : undefined
    if (given === undefined) throw tokenProblem(response.status, body)
    const { access_token: token, expires_in: seconds } = given
    return { token, until: now().getTime() + seconds * 1_000 - RENEWED_BEFORE_MS }
  }

  return {
    /** @throws NoGoogleToken, OutboundFailure */
    get: async (account: BotAccount): Promise<string> => {
      const key = keyOf(account)
      const found = kept.get(key)
      if (found !== undefined && found.until > now().getTime()) return found.token
      const fresh = await request(account)
      if (kept.size >= MOST_TOKENS) kept.clear()
      kept.set(key, fresh)
      return fresh.token
    },
    forget: (account: BotAccount): void => void kept.delete(keyOf(account)),
  }
}

export type GoogleChatTokens = ReturnType<typeof createGoogleChatTokens>

const Refused = z.looseObject({
  error: z.looseObject({ status: z.string().max(100).catch(''), message: z.string().max(5_000).catch('') }),
})

export interface GoogleChatAnswer {
  status: number
  headers: Headers
  body: unknown
}

/** What Google says of a refusal: its code, and its words, which are compared and never shown. */
export const refusalIn = ({ body }: Pick<GoogleChatAnswer, 'body'>) =>
  Refused.safeParse(body).data?.error ?? { status: '', message: '' }

export interface GoogleChatCall {
  method: 'GET' | 'POST' | 'PATCH'
  /** Behind `/v1/`. */
  path: string
  query?: Record<string, string>
  body?: unknown
}

async function send(
  { method, path, query = {}, body }: GoogleChatCall,
  token: string,
  { config, fetchOutbound, signal }: BotAccount,
): Promise<GoogleChatAnswer> {
  const url = new URL(`${googleChatAddresses(config)?.api ?? DEFAULT_API}/v1/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const response = await fetchOutbound(url, {
    chosenBy: 'customer',
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    followRedirects: false,
  })
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
}

/** Calls the Chat API. A token that was revoked before its end is renewed. @throws NoGoogleToken, OutboundFailure */
export async function callGoogleChat(
  call: GoogleChatCall,
  account: BotAccount,
  tokens: GoogleChatTokens,
): Promise<GoogleChatAnswer> {
  const answer = await send(call, await tokens.get(account), account)
  if (answer.status !== 401) return answer
  tokens.forget(account)
  return await send(call, await tokens.get(account), account)
}
