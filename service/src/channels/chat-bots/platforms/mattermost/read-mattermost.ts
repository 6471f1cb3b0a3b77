import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { parseJson } from '../../../../kernel/json.ts'
import type { PlatformEvent } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'
import { MattermostId, RATING_DOWN, RATING_UP } from './mattermost-api.ts'

/** What comes over the connection. `data` of most events has JSON in text. */
export const MattermostFrame = z.looseObject({
  event: z.string().max(100).optional(),
  data: z.record(z.string(), z.unknown()).nullish(),
  /** Undefined for answers to our own requests. */
  seq: z.int().min(0).optional(),
  status: z.string().max(50).optional(),
})

const Post = z.looseObject({
  id: MattermostId,
  user_id: MattermostId,
  channel_id: MattermostId,
  root_id: z.union([MattermostId, z.literal('')]).default(''),
  message: z.string().max(70_000),
  /** Empty for what people write; others are of the system and of plugins. */
  type: z.string().max(100).default(''),
  props: z.record(z.string(), z.unknown()).nullish(),
})

const Reaction = z.looseObject({
  user_id: MattermostId,
  post_id: MattermostId,
  emoji_name: z.string().max(100),
  create_at: z.number().optional(),
})

const SenderName = z.string().max(200)

const inText = (value: unknown): unknown => (typeof value === 'string' ? parseJson(value) : undefined)

export interface MattermostBot {
  id: string
  username: string
}

const VOTES: Partial<Record<string, 'up' | 'down'>> = {
  [RATING_UP]: 'up',
  thumbsup: 'up',
  [RATING_DOWN]: 'down',
  thumbsdown: 'down',
}

/** The words of a message, without the name of the bot. */
const wordsOf = (message: string, { username }: MattermostBot): string =>
  message
    .split(/(?<=\s)|(?=\s)/)
    .filter((word) => word.toLowerCase().replace(/[:,]$/, '') !== `@${username.toLowerCase()}`)
    .join('')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()

/** Whether the bot's name is in a message. `mentions` also has everyone of a group message, and those whom `@all` names. */
function isNamed(message: string, { username }: MattermostBot): boolean {
  const wanted = `@${username.toLowerCase()}`
  return [...message.toLowerCase().matchAll(/(?<![\w.-])@[\w.-]{1,64}/g)].some(
    // A name may end a sentence.
    ([word]) => word === wanted || (word.startsWith(wanted) && /^[._-]+$/.test(word.slice(wanted.length))),
  )
}

/** What Mattermost notes of messages that a program wrote, also in the name of a person. */
const OF_PROGRAMS = ['from_bot', 'from_webhook', 'from_plugin', 'from_oauth_app']

const isTrue = (value: unknown) => value === true || value === 'true'

function questionOf(
  data: Record<string, unknown>,
  bot: MattermostBot,
): PlatformEvent<ChatIncoming> | undefined {
  const post = Post.safeParse(inText(data['post'])).data
  if (post === undefined || post.type !== '' || post.user_id === bot.id) return undefined
  // Programs do not get answers, or two bots go on for ever.
  if (OF_PROGRAMS.some((name) => isTrue(post.props?.[name]))) return undefined
  const mentioned = z.array(z.string()).max(10_000).safeParse(inText(data['mentions'])).data ?? []
  const isDirect = data['channel_type'] === 'D'
  if (!isDirect && !(mentioned.includes(bot.id) && isNamed(post.message, bot))) return undefined
  const root = post.root_id === '' ? post.id : post.root_id
  const conversation = `${post.channel_id}:${root}`
  return {
    deliveryId: post.id,
    lane: conversation,
    channel: post.channel_id,
    incoming: {
      kind: 'question',
      conversation,
      lane: post.channel_id,
      place: { channel_id: post.channel_id, root_id: root },
      asker: SenderName.safeParse(data['sender_name']).data?.replace(/^@/, ''),
      text: truncateText(wordsOf(post.message, bot), 20_000),
    },
  }
}

function ratingOf(
  data: Record<string, unknown>,
  bot: MattermostBot,
): PlatformEvent<ChatIncoming> | undefined {
  const reaction = Reaction.safeParse(inText(data['reaction'])).data
  const vote = VOTES[reaction?.emoji_name ?? '']
  if (reaction === undefined || vote === undefined || reaction.user_id === bot.id) return undefined
  const { post_id: ref, user_id: user, create_at: at = 0 } = reaction
  return {
    deliveryId: `reaction ${ref} ${user} ${vote} ${at}`,
    lane: `rating ${ref}`,
    incoming: { kind: 'rating_of_post', ref, vote },
  }
}

/** What an event means. Edited and deleted messages come as other events, and are nothing to do. */
export function readMattermost(
  { event, data }: z.infer<typeof MattermostFrame>,
  bot: MattermostBot,
): PlatformEvent<ChatIncoming> | undefined {
  if (event === 'posted') return questionOf(data ?? {}, bot)
  return event === 'reaction_added' ? ratingOf(data ?? {}, bot) : undefined
}
