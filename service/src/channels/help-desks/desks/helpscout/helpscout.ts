import { createHash } from 'node:crypto'
import { parseJson } from '../../../../kernel/json.ts'
import { isSigned, type HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { HelpDesk } from '../../help-desk.ts'
import { createAnswersLately } from '../answers-lately.ts'
import { checkHelpscout } from './check-helpscout.ts'
import { createHelpscoutApi, isHelpscoutId } from './helpscout-api.ts'
import { changedInHelpscout } from './helpscout-changes.ts'
import { readHelpscoutConversation } from './helpscout-conversation.ts'
import { postToHelpscout } from './helpscout-posts.ts'
import { HelpscoutHook } from './helpscout-schemas.ts'

/** Hooks make answers quick; without them, or after Help Scout has switched them off, this is how late a conversation is seen. */
const READ_EVERY_MS = 2 * 60_000
/** Other events have ids of customers, tags and users in the same place. */
const OF_CONVERSATIONS = 'convo.'

const HOOK: HookPlatform<DeskIncoming> = {
  // It signs no time: a delivery is taken once, and what it is about is read from Help Scout.
  verify: ({ credentials, headers, rawBody }) =>
    isSigned(headers.get('x-helpscout-signature'), {
      secret: credentials['hook_secret'] ?? '',
      parts: [rawBody],
      hash: 'sha1',
      as: 'base64',
    }),
  read: ({ headers, rawBody }) => {
    const event = headers.get('x-helpscout-event') ?? ''
    const ticketId = HelpscoutHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data?.id ?? ''
    if (!event.startsWith(OF_CONVERSATIONS) || !isHelpscoutId(ticketId)) return { reply: {} }
    // Deliveries have no id. The body has what was said and when: the same one is a repetition.
    const deliveryId = createHash('sha256').update(rawBody).digest('hex')
    return { reply: {}, event: { deliveryId, lane: ticketId, incoming: { kind: 'ticket', ticketId } } }
  },
}

/** Conversations of mail in Help Scout, over its Inbox API 2.0. */
export function createHelpscoutDesk({ now }: { now: () => Date }): HelpDesk {
  const lately = createAnswersLately(() => now().getTime())
  const api = createHelpscoutApi(() => now().getTime())
  return {
    handles: 'tickets',
    spacingMs: 500,
    keepsDrafts: true,
    hook: HOOK,
    changes: (cursor, account) => changedInHelpscout(api, cursor, account, now()),
    readEveryMs: READ_EVERY_MS,
    ticket: (id, account) => readHelpscoutConversation(api, id, account, lately),
    post: postToHelpscout(api, lately),
    check: checkHelpscout(api),
    setup: {
      credentials: {
        app_id: 'Your profile, My apps, Create my app: App ID. Of the user that answers.',
        app_secret: 'App Secret, beside it.',
        hook_secret:
          'Manage, Apps, Webhooks: Secret key. Without it, conversations are read every two minutes.',
      },
      settings: {
        inboxes:
          'The ids of the inboxes whose conversations are answered, with commas between them. Without it: all that the user sees.',
        status_after_answer: 'active, pending or closed: the status after an answer. Without it, as it was.',
        hand_over_to:
          'The id of the user or team that a conversation is given to when its customer writes again.',
      },
    },
  }
}
