import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import type { PlatformEvent } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'

const Snowflake = z.string().regex(/^\d{1,25}$/)

const Message = z.looseObject({
  id: Snowflake,
  channel_id: Snowflake,
  /** Absent in direct messages. */
  guild_id: Snowflake,
  type: z.int(),
  /** Members with Nitro write 4,000 characters. */
  content: z.string().max(20_000),
  author: z.looseObject({
    id: Snowflake,
    bot: z.boolean().optional(),
    username: z.string().max(200),
    global_name: z.string().max(200).nullish(),
  }),
  webhook_id: Snowflake.nullish(),
  mentions: z.array(z.looseObject({ id: Snowflake })).max(1_000),
  /** Only in threads, to which the posts of forums belong. */
  position: z.number().nullish(),
})

/** What people write: a message, and a reply. Others tell of new members, pins and the like. */
const WRITTEN = new Set([0, 19])

/** The question in a new message, if a person mentions the bot in it. Roles that have the bot's name, and `@everyone`, are no mention. */
export function readDiscordMessage(data: unknown, bot: string): PlatformEvent<ChatIncoming> | undefined {
  const message = Message.safeParse(data).data
  if (message === undefined || !WRITTEN.has(message.type)) return undefined
  const { id, channel_id: channel, guild_id: guild, author, mentions } = message
  // Programs do not get answers, or two bots go on for ever.
  if (author.bot === true || author.id === bot || (message.webhook_id ?? undefined) !== undefined)
    return undefined
  if (!mentions.some((mentioned) => mentioned.id === bot)) return undefined
  // The first message of a forum's post has the id of the post.
  const isThread = typeof message.position === 'number' || id === channel
  const conversation = isThread ? `thread ${channel}` : `message ${id}`
  const words = message.content.replaceAll(new RegExp(`<@!?${bot}>`, 'g'), ' ').replaceAll(/[ \t]+/g, ' ')
  return {
    deliveryId: id,
    lane: conversation,
    channel: `channel ${channel}`,
    incoming: {
      kind: 'question',
      conversation,
      lane: `channel ${channel}`,
      place: { channel, reply_to: id, conversation, guild, asked_in: channel },
      asker: author.global_name ?? author.username,
      text: truncateText(words.trim(), 6_000),
    },
  }
}
