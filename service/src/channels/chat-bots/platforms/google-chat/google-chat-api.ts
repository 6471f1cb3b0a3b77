import { z } from 'zod'
import {
  GOOGLE_TOKEN_URL,
  parseServiceAccountKey,
  serviceAccountGrant,
} from '../../../../kernel/service-account-key.ts'
import { requestJson, type JsonAnswer } from '../../../../platform/outbound/request-json.ts'
import { API_URL_WRONG, apiAddress } from '../../../integrations/integrations.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { createKeptTokens, NoToken, type KeptTokens } from '../../kept-tokens.ts'

const SCOPE = 'https://www.googleapis.com/auth/chat.bot'
const DEFAULT_API = 'https://chat.googleapis.com'
const DEFAULT_KEYS = 'https://www.googleapis.com'

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

const HOW =
  'Google Cloud console, IAM & Admin, Service Accounts, the account, Keys, Add key, JSON: enter the whole file.'

export const KEY_UNREADABLE = `The credential service_account is not the JSON key of a service account. ${HOW}`

/** The tokens with which bots post. */
export const createGoogleChatTokens = (now: () => Date): KeptTokens =>
  createKeptTokens({
    now,
    giver: 'Google',
    requestOf: ({ credentials, config }) => {
      const addresses = googleChatAddresses(config)
      if (addresses === undefined) throw new NoToken(API_URL_WRONG, true)
      const key = parseServiceAccountKey(credentials['service_account'] ?? '')
      if (key === undefined) throw new NoToken(KEY_UNREADABLE, true)
      try {
        const grant = serviceAccountGrant(key, { scope: SCOPE, now: now().getTime() })
        return { url: addresses.tokenUrl, form: new URLSearchParams(grant) }
      } catch {
        throw new NoToken(`The private key in the credential service_account is damaged. ${HOW}`, true)
      }
    },
    decides: ({ credentials, config }) => [credentials['service_account'], config['api_url']],
    ifRefused: (code) =>
      `Google does not accept the key of the service account (${code}): it was deleted, or the account was, or the clock of this machine is wrong. ${HOW}`,
  })

const Refused = z.looseObject({
  error: z.looseObject({ status: z.string().max(100).catch(''), message: z.string().max(5_000).catch('') }),
})

/** What Google says of a refusal: its code, and its words, which are compared and never shown. */
export const refusalIn = ({ body }: Pick<JsonAnswer, 'body'>) =>
  Refused.safeParse(body).data?.error ?? { status: '', message: '' }

export interface GoogleChatCall {
  method: 'GET' | 'POST' | 'PATCH'
  /** Behind `/v1/`. */
  path: string
  query?: Record<string, string>
  body?: unknown
}

/** Calls the Chat API. @throws NoToken, OutboundFailure */
export async function callGoogleChat(
  { method, path, query = {}, body }: GoogleChatCall,
  account: BotAccount,
  tokens: KeptTokens,
): Promise<JsonAnswer> {
  const url = new URL(`${googleChatAddresses(account.config)?.api ?? DEFAULT_API}/v1/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return await tokens.send(account, (token) =>
    requestJson(url, { method, headers: { authorization: `Bearer ${token}` }, body }, account),
  )
}
