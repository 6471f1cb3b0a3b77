import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import type { PlatformEvent } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming, ChatQuestion } from '../../chat-incoming.ts'
import { readPress, type ReadPress } from './read-press.ts'
import { chatPlaceOf, nameOf, TelegramMessagePlace, TelegramUser } from './telegram-place.ts'

export interface TelegramBot {
  id: number
  username: string
}

/** The kinds of updates that the bot asks for. Edited messages are others: they are no questions. */
export const UPDATE_KINDS = ['message', 'callback_query'] as const

/** Telegram keeps what a bot does not fetch for a day: who asked an hour ago has given up. */
const STALE_AFTER_MS = 60 * 60 * 1_000

const Entity = z.looseObject({
  type: z.string().max(50),
  offset: z.int().min(0),
  length: z.int().min(0),
  user: z.looseObject({ id: z.int() }).optional(),
})

const Entities = z.array(Entity).max(1_000).optional()

const Message = TelegramMessagePlace.extend({
  /** In seconds. */
  date: z.int(),
  from: TelegramUser.optional(),
  /** Who speaks in the name of a chat. */
  sender_chat: z.looseObject({ id: z.int() }).optional(),
  is_automatic_forward: z.boolean().optional(),
  via_bot: z.unknown().optional(),
  /** Who wrote it first, if it was forwarded. */
  forward_origin: z.unknown().optional(),
  text: z.string().max(50_000).optional(),
  entities: Entities,
  caption: z.string().max(50_000).optional(),
  caption_entities: Entities,
  reply_to_message: z
    .looseObject({
      from: z.looseObject({ id: z.int() }).optional(),
      forum_topic_created: z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
})

type Message = z.infer<typeof Message>
type Entity = z.infer<typeof Entity>

const Update = z.looseObject({
  update_id: z.int(),
  message: z.unknown().optional(),
  callback_query: z.unknown().optional(),
})

/** The number of an update. @throws Error if it has none: without it, what was read cannot be confirmed */
export const updateIdOf = (update: unknown): number => Update.parse(update).update_id

/** Whether a person wrote it. An administrator may write in the name of the group; a channel's posts come by themselves. */
const isOfPerson = ({
  from,
  sender_chat: sender,
  chat,
  is_automatic_forward: isForward,
  via_bot: via,
}: Message) =>
  isForward !== true &&
  via === undefined &&
  (sender === undefined ? from?.is_bot === false : sender.id === chat.id && chat.type !== 'channel')

interface Said {
  text: string
  entities: readonly Entity[]
}

const wordsIn = ({ text }: Said, { offset, length }: Entity) => text.slice(offset, offset + length)

/** The command that a message begins with: `/ask@docs_bot`. */
function commandOf(said: Said): { name: string; of: string | undefined; entity: Entity } | undefined {
  const entity = said.entities.find(({ type, offset }) => type === 'bot_command' && offset === 0)
  if (entity === undefined) return undefined
  const [name = '', of] = wordsIn(said, entity).slice(1).toLowerCase().split('@', 2)
  return { name, of, entity }
}

const isNamed = (said: Said, entity: Entity, { id, username }: TelegramBot) =>
  (entity.type === 'mention' && wordsIn(said, entity).toLowerCase() === `@${username.toLowerCase()}`) ||
  (entity.type === 'text_mention' && entity.user?.id === id)

/** The words of a message, or those below its picture. */
const saidIn = ({ text, entities = [], caption = '', caption_entities: others = [] }: Message): Said =>
  text === undefined ? { text: caption, entities: others } : { text, entities }

/** A text without some of its parts. */
function without({ text }: Said, parts: readonly Entity[]): string {
  let words = text
  for (const { offset, length } of parts.toSorted((one, other) => other.offset - one.offset))
    words = `${words.slice(0, offset)} ${words.slice(offset + length)}`
  return words.replaceAll(/[ \t]+/g, ' ').trim()
}

const isReplyTo = ({ reply_to_message: reply }: Message, bot: TelegramBot) =>
  // The first message of a topic is what every other there replies to.
  reply?.from?.id === bot.id && reply.forum_topic_created === undefined

const GREETINGS = new Set(['start', 'help'])

/** What is said to the bot, without its name and the command; undefined if it is not meant. */
function wordsFor(message: Message, bot: TelegramBot): string | undefined {
  const said = saidIn(message)
  const isPrivate = message.chat.type === 'private'
  // What is passed on to a group was said to somebody else; to the bot alone it is shown to be answered.
  if (!isPrivate && message.forward_origin !== undefined) return undefined
  const command = commandOf(said)
  const named = said.entities.filter((entity) => isNamed(said, entity, bot))
  const isOurs =
    command !== undefined && (command.of ?? bot.username.toLowerCase()) === bot.username.toLowerCase()
  if (isOurs && command.name === 'ask') return without(said, [...named, command.entity])
  // In a group a greeting is meant only with the name of the bot.
  if (isOurs && GREETINGS.has(command.name) && (isPrivate || command.of !== undefined)) return ''
  const isMeant = isPrivate || named.length > 0 || (command === undefined && isReplyTo(message, bot))
  return isMeant ? without(said, named) : undefined
}

function questionOf(update: unknown, bot: TelegramBot, now: Date): ChatQuestion | undefined {
  const message = Message.safeParse(update).data
  if (message === undefined || !isOfPerson(message)) return undefined
  // Of service messages, such as that somebody came, nothing is text.
  if (message.text === undefined && message.caption === undefined) return undefined
  if (now.getTime() - message.date * 1_000 > STALE_AFTER_MS) return undefined
  const words = wordsFor(message, bot)
  if (words === undefined) return undefined
  const asker = message.from === undefined ? undefined : nameOf(message.from)
  return { kind: 'question', ...chatPlaceOf(message), asker, text: truncateText(words, 20_000) }
}

export interface ReadUpdate {
  event: PlatformEvent<ChatIncoming> | undefined
  /** What Telegram waits for, after a press on a button. */
  answer: ReadPress['answer'] | undefined
}

/** What an update means, however it came. */
export function readUpdate(given: unknown, bot: TelegramBot, now: Date): ReadUpdate {
  const update = Update.safeParse(given).data
  if (update === undefined) return { event: undefined, answer: undefined }
  const press = readPress(update.callback_query)
  if (press !== undefined) return press
  const incoming = questionOf(update.message, bot, now)
  if (incoming === undefined) return { event: undefined, answer: undefined }
  return {
    event: {
      deliveryId: `update ${update.update_id}`,
      lane: incoming.conversation,
      channel: incoming.lane,
      incoming,
    },
    answer: undefined,
  }
}
