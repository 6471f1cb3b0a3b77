import { parseJson } from '../../../../kernel/json.ts'
import type { HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { HelpDesk } from '../../help-desk.ts'
import { createAnswersLately } from '../answers-lately.ts'
import { checkFront } from './check-front.ts'
import { isFrontId } from './front-api.ts'
import { changedInFront } from './front-changes.ts'
import { readFrontConversation } from './front-conversation.ts'
import { postToFront } from './front-posts.ts'
import { FrontHook } from './front-schemas.ts'
import { isSignedByFront } from './verify-front.ts'

/** Hooks make answers quick; without them, or while Front has switched them off, this is how late a conversation is seen. */
const READ_EVERY_MS = 2 * 60_000
const MAX_CHALLENGE = 1_000

const HOOK: HookPlatform<DeskIncoming> = {
  verify: ({ credentials, now, ...request }) =>
    isSignedByFront(request, credentials['signing_key'] ?? '', now),
  read: ({ headers, rawBody }) => {
    // Front asks for it each time that the address is saved.
    const challenge = headers.get('x-front-challenge')?.slice(0, MAX_CHALLENGE)
    const reply = challenge === undefined ? {} : { challenge }
    const given = FrontHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data
    const ticketId = given?.payload.conversation.id ?? ''
    if (given === undefined || !isFrontId(ticketId, 'cnv')) return { reply }
    const incoming = { kind: 'ticket' as const, ticketId }
    return { reply, event: { deliveryId: given.payload.id, lane: ticketId, incoming } }
  },
}

/** Conversations of mail in Front, over its Core API. */
export function createFrontDesk({ now }: { now: () => Date }): HelpDesk {
  const lately = createAnswersLately(() => now().getTime())
  return {
    handles: 'tickets',
    spacingMs: 500,
    keepsDrafts: true,
    hook: HOOK,
    changes: (cursor, account) => changedInFront(cursor, account, now()),
    readEveryMs: READ_EVERY_MS,
    ticket: (id, account) => readFrontConversation(id, account, lately),
    post: postToFront(lately),
    check: checkFront,
    setup: {
      credentials: {
        api_token: 'Settings, Developers, API tokens, Create API token.',
        signing_key:
          'Settings, Developers, the app, Basic information: Application key. Without it, conversations are read every two minutes.',
      },
      settings: {
        teammate: 'The id of the teammate that answers, such as tea_123: one that no person uses.',
        inboxes:
          'The ids of the inboxes whose conversations are answered, with commas between them, such as inb_123. Without it: all that the token sees.',
        channel:
          'The id of the channel that answers come from, such as cha_123. Without it: that of the conversation. Drafts need it.',
        archive_after_answer: 'yes: a conversation is archived with its answer. Without it, it stays.',
        answered_tag: 'The id of a tag for what was answered, such as tag_123.',
        unanswered_tag: 'The id of a tag for what the documentation does not cover.',
        hand_over_to:
          'The id of the teammate or inbox that a conversation is given to when its customer writes again.',
      },
    },
  }
}
