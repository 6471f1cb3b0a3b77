import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { postedTo, readDesk } from '../desk-http.ts'
import { ChatwootRefusal } from './chatwoot-schemas.ts'

const MAX_BYTES = 4 * 1_048_576
const DEFAULT_API = 'https://app.chatwoot.com'
const NOWHERE = 'https://invalid.invalid'

export const isChatwootId = (id: string) => /^[1-9]\d{0,14}$/.test(id)

/** What Chatwoot says to the token of a bot where only people may read. */
const NOT_FOR_BOTS = 'not authorized for bots'

/** The token is one of a bot. */
export const IS_BOT = 'Chatwoot knows the token: it is one of a bot.'

const WORDS = {
  desk: 'Chatwoot',
  refused: (body: unknown): string =>
    ChatwootRefusal.safeParse(body).data?.error.includes(NOT_FOR_BOTS) === true
      ? IS_BOT
      : 'Chatwoot refused an access token: it was reset, or its agent may not see the inbox. agent_token is under “Profile settings” of the agent, bot_token under “Settings”, “Bots”.',
}

/** The address of Chatwoot; undefined if what is set is no address. */
export const chatwootApi = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

/** The number of the account; undefined if what is set is none. */
export function chatwootAccount({ account_id: given }: Record<string, unknown>): string | undefined {
  const id = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
  return isChatwootId(id) ? id : undefined
}

/** Bots may post, and read nothing: an agent reads for them. */
type Token = 'agent_token' | 'bot_token'

const requestOf = (path: string, token: Token, { config, credentials }: DeskAccount) => ({
  url: `${chatwootApi(config) ?? NOWHERE}/api/v1${path}`,
  headers: { api_access_token: credentials[token] ?? '' },
  maxBytes: MAX_BYTES,
})

/** The path of a resource of the account. */
export const inAccount = (path: string, { config }: DeskAccount) =>
  `/accounts/${chatwootAccount(config) ?? '0'}${path}`

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromChatwoot<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
  token: Token = 'agent_token',
): Promise<z.infer<Schema> | undefined> {
  return (await readDesk(requestOf(path, token, account), schema, account, WORDS))?.body
}

/** @param isRepeatable whether Chatwoot does one thing if it is sent twice: a change is, a message is not */
export const sendToChatwoot = async (
  path: string,
  body: Record<string, unknown>,
  account: DeskAccount,
  isRepeatable: boolean,
): Promise<PostOutcome> =>
  await postedTo(
    { ...requestOf(inAccount(path, account), 'bot_token', account), method: 'POST', body },
    account,
    { ...WORDS, isRepeatable },
  )
