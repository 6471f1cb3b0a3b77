import { createHash } from 'node:crypto'
import { parseJson } from '../../../../kernel/json.ts'
import type { HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { HelpDesk } from '../../help-desk.ts'
import { createAnswersLately } from '../answers-lately.ts'
import { checkHubspot } from './check-hubspot.ts'
import { isHubspotId } from './hubspot-api.ts'
import { changedInHubspot } from './hubspot-changes.ts'
import { postToHubspot } from './hubspot-posts.ts'
import { HubspotHook, type HubspotEvent } from './hubspot-schemas.ts'
import { readHubspotThread } from './hubspot-thread.ts'
import { isSignedByHubspot } from './verify-hubspot.ts'

/** Hooks make answers quick; without them, this is how late a thread is seen. */
const READ_EVERY_MS = 2 * 60_000
/** Other events have ids of contacts, companies and tickets in the same place. */
const OF_CONVERSATIONS = 'conversation.'

/** HubSpot does not promise that ids of events are unique, and counts attempts in the body: what happened, to what and when is the event. */
const deliveryIdOf = (event: HubspotEvent): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        event.portalId,
        event.subscriptionId,
        event.eventId,
        event.subscriptionType,
        event.objectId,
        event.messageId,
        event.occurredAt,
      ]),
    )
    .digest('hex')

const HOOK: HookPlatform<DeskIncoming> = {
  verify: ({ credentials, ...claim }) => isSignedByHubspot(claim, credentials['client_secret'] ?? ''),
  // A request tells of up to a hundred events, and is repeated as a whole or in other parts: each event is taken once, for itself.
  read: ({ rawBody }) => {
    const events = HubspotHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data ?? []
    return {
      reply: {},
      event: events
        .filter(({ subscriptionType, objectId }) => {
          return subscriptionType.startsWith(OF_CONVERSATIONS) && isHubspotId(objectId)
        })
        .map((event) => ({
          deliveryId: deliveryIdOf(event),
          lane: event.objectId,
          incoming: { kind: 'ticket' as const, ticketId: event.objectId },
        })),
    }
  },
}

/** Threads of mail in HubSpot, over its Conversations API 3. */
export function createHubspotDesk({ now }: { now: () => Date }): HelpDesk {
  const lately = createAnswersLately(() => now().getTime())
  return {
    handles: 'tickets',
    spacingMs: 500,
    hook: HOOK,
    changes: (cursor, account) => changedInHubspot(cursor, account, now()),
    readEveryMs: READ_EVERY_MS,
    ticket: (id, account) => readHubspotThread(id, account, lately),
    post: postToHubspot(lately),
    check: checkHubspot,
    setup: {
      credentials: {
        access_token: 'The app, Auth: Access token, with conversations.read and conversations.write.',
        client_secret: 'The app, Auth: Client secret. Without it, threads are read every two minutes.',
      },
      settings: {
        sender: 'The user in whose name answers are sent: A- and the id of the user, such as A-123.',
        inboxes:
          'The ids of the inboxes whose threads are answered, with commas between them. Without it: all that the app sees.',
        close_after_answer: 'yes: a thread is closed with its answer. Without it, it stays open.',
        hand_over_to: 'The user that a thread is given to when its customer writes again, such as A-456.',
      },
    },
  }
}
