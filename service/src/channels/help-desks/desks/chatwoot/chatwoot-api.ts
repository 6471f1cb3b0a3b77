import { apiAddress } from '../../../integrations/integrations.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { createDeskApi } from '../desk-api.ts'
import { ChatwootRefusal } from './chatwoot-schemas.ts'

const DEFAULT_API = 'https://app.chatwoot.com'

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

/** The API with the token of an agent, or of the bot: bots may post, and read nothing. */
const apiWith = (token: 'agent_token' | 'bot_token') =>
  createDeskApi({
    ...WORDS,
    address: (config) => {
      const address = chatwootApi(config)
      return address === undefined ? undefined : `${address}/api/v1`
    },
    headers: ({ credentials }) => ({ api_access_token: credentials[token] ?? '' }),
  })

export const { read: readFromChatwoot } = apiWith('agent_token')
const asBot = apiWith('bot_token')
export const readAsBot = asBot.read

/** The path of a resource of the account. */
export const inAccount = (path: string, { config }: DeskAccount) =>
  `/accounts/${chatwootAccount(config) ?? '0'}${path}`

/** @param isRepeatable whether Chatwoot does one thing if it is sent twice: a change is, a message is not */
export const sendToChatwoot = (
  path: string,
  body: Record<string, unknown>,
  account: DeskAccount,
  isRepeatable: boolean,
): Promise<PostOutcome> => asBot.send('POST', inAccount(path, account), body, account, isRepeatable)
