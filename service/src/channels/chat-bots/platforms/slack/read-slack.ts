import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { parseJson } from '../../../../kernel/json.ts'
import type { HookRequest, PlatformEvent, ReadDelivery } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'

/** `action_id` of the rating buttons. */
export const RATING_ACTION = 'citewell_rating'

/** `action_id` of the button for a person. */
export const PERSON_ACTION = 'citewell_person'

const Name = z.string().min(1).max(100)

const Message = z.object({
  type: z.enum(['app_mention', 'message']),
  channel: Name,
  channel_type: z.string().optional(),
  team: Name.optional().catch(undefined),
  user: Name,
  text: z.string().max(40_000).default(''),
  ts: Name,
  thread_ts: Name.optional(),
  bot_id: z.unknown().optional(),
  subtype: z.string().optional(),
  edited: z.unknown().optional(),
})

const Envelope = z.object({
  type: z.literal('event_callback'),
  event_id: Name,
  team_id: Name.optional().catch(undefined),
  event: z.looseObject({ type: z.string() }),
  authorizations: z
    .array(z.object({ user_id: Name.optional() }))
    .max(100)
    .optional(),
})

const Handshake = z.object({ type: z.literal('url_verification'), challenge: z.string().max(1_000) })

const Click = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: Name, username: z.string().max(200).optional().catch(undefined) }),
  channel: z.object({ id: Name }).optional(),
  message: z.object({ ts: Name, thread_ts: Name.optional() }).optional(),
  actions: z
    .array(
      z.looseObject({
        action_id: z.string(),
        action_ts: z.string().max(100),
        value: z.string().max(200).optional(),
      }),
    )
    .min(1)
    .max(20),
})

/** Messages of people that carry a subtype nevertheless: with a file, or shown in the channel too. All others are of programs, or edits. */
const OF_PEOPLE = new Set([undefined, 'file_share', 'thread_broadcast'])

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** The words of a message: names of people are left out, links and channels are written as they read. */
function wordsOf(text: string): string {
  return (
    text
      // bounded: each at most 3,000 characters
      .replaceAll(/<([^<>]{1,3000})>/g, (_, inside: string) => {
        const [target = '', label] = inside.split('|', 2)
        if (target.startsWith('@') || target.startsWith('!')) return ' '
        return label ?? target
      })
      .replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
      .replaceAll(/[ \t]+/g, ' ')
      .trim()
  )
}

function questionOf(
  eventId: string,
  event: unknown,
  ofEnvelope: string | undefined,
): PlatformEvent<ChatIncoming> | undefined {
  const message = Message.safeParse(event).data
  if (message === undefined || message.bot_id !== undefined || !OF_PEOPLE.has(message.subtype))
    return undefined
  // After an edit Slack tells of the mention again, as another event.
  if (message.edited !== undefined) return undefined
  // In channels only what names the bot is for it.
  if (message.type === 'message' && message.channel_type !== 'im') return undefined
  const { channel, ts, thread_ts: thread = ts, text, user, team = ofEnvelope } = message
  const conversation = `${channel}:${thread}`
  return {
    deliveryId: eventId,
    lane: conversation,
    channel,
    incoming: {
      kind: 'question',
      conversation,
      lane: channel,
      // Who asks, for a stream of the answer.
      place: { channel, thread_ts: thread, user, ...(team !== undefined && { team }) },
      text: truncateText(wordsOf(text), 20_000),
    },
  }
}

const DISCONNECTED: Record<string, string> = {
  app_uninstalled: 'The app was removed from the Slack workspace. Install it again, and enter the new token.',
  tokens_revoked: 'Slack revoked the token. Install the app again, and enter the new token.',
}

function eventOf(body: unknown): PlatformEvent<ChatIncoming> | undefined {
  const envelope = Envelope.safeParse(body).data
  if (envelope === undefined) return undefined
  const { event, event_id: eventId } = envelope
  const because = DISCONNECTED[event.type]
  if (because !== undefined)
    return { deliveryId: eventId, lane: 'connection', incoming: { kind: 'disconnected', because } }
  return questionOf(eventId, event, envelope.team_id)
}

/** A click on the button for a person, which is under an answer in the thread. */
function callOf(body: unknown): PlatformEvent<ChatIncoming> | undefined {
  const click = Click.safeParse(body).data
  const action = click?.actions.find(({ action_id: id }) => id === PERSON_ACTION)
  const { channel, message, user } = click ?? {}
  if (action === undefined || channel === undefined || message === undefined) return undefined
  const thread = message.thread_ts ?? message.ts
  const conversation = `${channel.id}:${thread}`
  return {
    deliveryId: `person ${action.action_ts} ${user?.id ?? ''}`,
    lane: conversation,
    incoming: {
      kind: 'wants_person',
      conversation,
      lane: channel.id,
      place: { channel: channel.id, thread_ts: thread },
      asker: user?.username,
    },
  }
}

/** A click on a rating button: its value is `up:` or `down:` and the id of the answer. */
function clickOf(body: unknown): PlatformEvent<ChatIncoming> | undefined {
  const click = Click.safeParse(body).data
  const action = click?.actions.find(({ action_id: id }) => id === RATING_ACTION)
  const [vote, messageId] = action?.value?.split(':', 2) ?? []
  if (click === undefined || action === undefined || messageId === undefined) return undefined
  if (vote !== 'up' && vote !== 'down') return undefined
  return {
    deliveryId: `click ${action.action_ts} ${click.user.id} ${action.value}`,
    lane: `rating ${messageId}`,
    incoming: { kind: 'rating', messageId, vote },
  }
}

/** What an event or a click means, however it came. */
export const eventOfSlack = (body: unknown): PlatformEvent<ChatIncoming> | undefined =>
  eventOf(body) ?? callOf(body) ?? clickOf(body)

/** What a request of Slack means. Events come as JSON, clicks as a form with JSON in its field `payload`. */
export function readSlack({ headers, rawBody }: HookRequest): ReadDelivery<ChatIncoming> {
  const text = new TextDecoder().decode(rawBody)
  if (headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') === true) {
    const click = parseJson(new URLSearchParams(text).get('payload') ?? '')
    return { reply: {}, event: callOf(click) ?? clickOf(click) }
  }
  const body = parseJson(text)
  const handshake = Handshake.safeParse(body).data
  if (handshake !== undefined) return { reply: { challenge: handshake.challenge } }
  return { reply: {}, event: eventOf(body) }
}
