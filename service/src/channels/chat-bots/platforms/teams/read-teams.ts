import { createHash } from 'node:crypto'
import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { parseJson } from '../../../../kernel/json.ts'
import type { HookRequest, ReadDelivery } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'

const Id = z.string().min(1).max(500)

const Account = z.looseObject({ id: Id })

const Activity = z.looseObject({
  type: z.string().max(50),
  id: Id,
  serviceUrl: z.string().max(2_000),
  conversation: z.looseObject({ id: Id, conversationType: z.string().max(50).optional() }),
  from: z.looseObject({ id: Id, name: z.string().max(200).optional().catch(undefined) }),
  recipient: Account,
})

const Message = z.looseObject({
  text: z.string().max(100_000).default(''),
  value: z.unknown().optional(),
  entities: z
    .array(z.looseObject({ type: z.string().max(200) }))
    .max(200)
    .optional(),
})

const Mention = z.looseObject({
  type: z.literal('mention'),
  mentioned: Account,
  text: z.string().max(500).optional(),
})

const Feedback = z.looseObject({
  name: z.literal('message/submitAction'),
  replyToId: Id,
  value: z.looseObject({
    actionName: z.literal('feedback'),
    actionValue: z.looseObject({ reaction: z.enum(['like', 'dislike']) }),
  }),
})

/** After so long in a chat, which has no threads, a new conversation begins. */
const CHAT_LASTS_MS = 30 * 60 * 1_000

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }

/** The words of a message, without names. Plain text has them as `<at>name</at>`. */
const wordsOf = (text: string) =>
  text
    // bounded: each at most 300 characters
    .replaceAll(/<at>[^<>]{0,300}<\/at>/g, ' ')
    .replaceAll(/&(lt|gt|amp|quot|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replaceAll(/[ \t\u00A0]+/g, ' ')
    .trim()

type Activity = z.infer<typeof Activity>

/** Reads `isNamed` of the entities, not of the text, which people can write themselves. */
function questionOf(activity: Activity): ReadDelivery<ChatIncoming> {
  const message = Message.safeParse(activity).data
  const { conversation, recipient, from, id, serviceUrl } = activity
  // A click on a card is no question, and what the bot hears of itself neither.
  if (message === undefined || message.value !== undefined || from.id === recipient.id) return { reply: {} }
  const isPersonal = conversation.conversationType === 'personal'
  const mentions = (message.entities ?? []).flatMap((entity) => Mention.safeParse(entity).data ?? [])
  if (!isPersonal && !mentions.some(({ mentioned }) => mentioned.id === recipient.id)) return { reply: {} }
  return {
    reply: {},
    event: {
      deliveryId: deliveryOf(conversation.id, id),
      lane: conversation.id,
      // The conversation of a thread is that of its channel, and the message with which it begins.
      channel: conversation.id.split(';', 1)[0] ?? '',
      incoming: {
        kind: 'question',
        conversation: shortened(conversation.id),
        // A chat of several people has no threads either.
        ...(conversation.conversationType !== 'channel' && { lastsMs: CHAT_LASTS_MS }),
        lane: shortened(conversation.id),
        place: {
          service_url: serviceUrl,
          conversation: conversation.id,
          reply_to: id,
          ...(isPersonal && { chat: 'personal' }),
        },
        asker: from.name,
        text: truncateText(wordsOf(message.text), 20_000),
      },
    },
  }
}

/** Ids of messages are unique in their conversation only. */
const deliveryOf = (conversation: string, id: string) =>
  createHash('sha256').update(`${conversation}\n${id}`).digest('hex')

const shortened = (id: string) => (id.length <= 200 ? id : createHash('sha256').update(id).digest('hex'))

function ratingOf(activity: Activity): ReadDelivery<ChatIncoming> {
  const feedback = Feedback.safeParse(activity).data
  if (feedback === undefined) return { reply: {} }
  const { replyToId, value } = feedback
  const vote = value.actionValue.reaction === 'like' ? 'up' : 'down'
  return {
    reply: {},
    event: {
      deliveryId: deliveryOf(activity.conversation.id, activity.id),
      lane: `rating ${replyToId}`,
      incoming: { kind: 'rating_of_post', ref: teamsRef(activity.conversation.id, replyToId), vote },
    },
  }
}

/** What a post is known by, to be rated. */
export const teamsRef = (conversation: string, id: string) => `${conversation} ${id}`

/** What an activity means. Edited and deleted messages, joining, typing and reactions are nothing to do. */
export function readTeams({ rawBody }: HookRequest): ReadDelivery<ChatIncoming> {
  const activity = Activity.safeParse(parseJson(new TextDecoder().decode(rawBody))).data
  if (activity?.type === 'message') return questionOf(activity)
  return activity?.type === 'invoke' ? ratingOf(activity) : { reply: {} }
}
