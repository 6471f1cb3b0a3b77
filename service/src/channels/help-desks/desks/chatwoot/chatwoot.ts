import { parseJson } from '../../../../kernel/json.ts'
import { isRecent, isSigned, type HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { HelpDesk } from '../../help-desk.ts'
import { isChatwootId } from './chatwoot-api.ts'
import { readChatwootChat } from './chatwoot-chat.ts'
import { postToChatwoot } from './chatwoot-posts.ts'
import { ChatwootHook } from './chatwoot-schemas.ts'
import { checkChatwoot } from './check-chatwoot.ts'

/** Whether a delivery to the bot was signed with its secret, at most five minutes ago: the hex HMAC-SHA256 of `time.body`. */
function isSignedByChatwoot(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  secret: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-chatwoot-timestamp') ?? ''
  if (!/^\d{10}$/.test(timestamp) || !isRecent(Number(timestamp) * 1_000, now)) return false
  const parts = [`${timestamp}.`, rawBody]
  return isSigned(headers.get('x-chatwoot-signature'), { secret, parts, as: 'hex', prefix: 'sha256=' })
}

/** What it does not tell of is not lost: Chatwoot gives a conversation to people if its bot cannot be reached. */
const HOOK: HookPlatform<DeskIncoming> = {
  verify: ({ credentials, now, ...request }) =>
    isSignedByChatwoot(request, credentials['hook_secret'] ?? '', now),
  read: ({ rawBody }) => {
    const given = ChatwootHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data
    const ticketId = given?.conversation.id ?? ''
    if (given === undefined || !isChatwootId(ticketId)) return { reply: {} }
    const incoming = { kind: 'ticket' as const, ticketId }
    return { reply: {}, event: { deliveryId: `message ${given.id}`, lane: ticketId, incoming } }
  },
}

/** Conversations that the agent bot of an inbox of Chatwoot has, over its API 1. */
export const CHATWOOT: HelpDesk = {
  handles: 'chats',
  spacingMs: 500,
  hook: HOOK,
  ticket: async (id, account) => (await readChatwootChat(id, account))?.ticket,
  post: postToChatwoot,
  check: checkChatwoot,
  setup: {
    credentials: {
      bot_token: 'Settings, Bots, the bot: Access token. Answers are posted with it.',
      hook_secret: 'The secret of the bot, beside it.',
      agent_token:
        'Profile settings of an agent: Access token. Conversations are read with it, as bots may not.',
    },
    settings: {
      api_url: 'The address of your Chatwoot, such as https://chat.acme.com. Without it: app.chatwoot.com.',
      account_id: 'The number after /accounts/ in the address of your Chatwoot.',
      hand_over_to: 'The number of the team that takes over, at the end of its address. Without it: no team.',
    },
  },
}
