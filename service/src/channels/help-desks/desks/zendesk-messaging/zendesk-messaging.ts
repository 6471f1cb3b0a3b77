import { parseJson } from '../../../../kernel/json.ts'
import { isEqualInConstantTime } from '../../../../kernel/secrets.ts'
import type { HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { HelpDesk } from '../../help-desk.ts'
import { checkMessaging } from './check-messaging.ts'
import { isConversationId } from './messaging-api.ts'
import { readMessagingChat } from './messaging-chat.ts'
import { postToMessaging } from './messaging-posts.ts'
import { MessagingHook } from './messaging-schemas.ts'

/** Only customers are of interest; that a conversation came back from people asks nothing. */
const isOfCustomer = ({ type, payload }: MessagingHook['events'][number]): boolean =>
  type === 'conversation:message' && payload.message?.author.type === 'user'

const HOOK: HookPlatform<DeskIncoming> = {
  // The secret itself comes, and no signature: what a delivery says is read again from Zendesk.
  verify: ({ credentials, headers }) => {
    const secret = credentials['shared_secret'] ?? ''
    return secret !== '' && isEqualInConstantTime(secret, headers.get('x-api-key'))
  },
  read: ({ rawBody }) => {
    const given = MessagingHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data
    const event = (given?.events ?? []).filter(isOfCustomer).flatMap(({ id, payload }) => {
      const ticketId = payload.conversation?.id ?? ''
      return isConversationId(ticketId)
        ? [{ deliveryId: id, lane: ticketId, incoming: { kind: 'ticket' as const, ticketId } }]
        : []
    })
    return { reply: {}, event }
  },
}

/** Conversations of Zendesk messaging, over the Conversations API. Tickets of Zendesk Support are another help desk. */
export const ZENDESK_MESSAGING: HelpDesk = {
  handles: 'chats',
  spacingMs: 500,
  hook: HOOK,
  ticket: async (id, account) => (await readMessagingChat(id, account))?.ticket,
  post: postToMessaging,
  check: checkMessaging,
  setup: {
    credentials: {
      key_id: 'Admin Center, Apps and integrations, APIs, Conversations API, Create API key: Key ID.',
      key_secret: 'The Secret key, which is shown once beside it.',
      shared_secret:
        'Admin Center, Apps and integrations, Integrations, Conversations integrations: the shared secret of the one with this address.',
    },
    settings: {
      api_url: 'The address of your Zendesk, such as https://acme.zendesk.com.',
      app_id: 'The App ID that is shown with the key.',
      switchboard_integration: 'The name of this service in the switchboard: citewell, the usual.',
      hand_over_to:
        'The name of the switchboard integration that takes over, such as zd-agentWorkspace. Empty: the next one.',
      from_name: 'The name that customers see beside the answers.',
    },
  },
}
