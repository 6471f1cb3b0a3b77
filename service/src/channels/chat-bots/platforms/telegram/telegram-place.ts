import { z } from 'zod'
import type { ChatPlace } from '../../chat-incoming.ts'

const Id = z.int()

export const TelegramUser = z.looseObject({
  id: Id,
  is_bot: z.boolean().default(false),
  first_name: z.string().max(300).optional().catch(undefined),
  last_name: z.string().max(300).optional().catch(undefined),
  username: z.string().max(64).optional().catch(undefined),
})

/** Of a message: where it is. */
export const TelegramMessagePlace = z.looseObject({
  message_id: Id,
  message_thread_id: Id.optional(),
  /** Whether the thread is a topic: replies in other groups have a thread, too. */
  is_topic_message: z.boolean().optional(),
  chat: z.looseObject({
    id: Id,
    type: z.string().max(50),
    username: z.string().max(64).optional().catch(undefined),
  }),
})

export const nameOf = ({ first_name: first, last_name: last, username }: z.infer<typeof TelegramUser>) => {
  const name = [first, last].filter((part) => part !== undefined && part !== '').join(' ')
  return (name === '' ? username : name)?.slice(0, 200)
}

/** Chats have no threads, and topics go on for ever: after so long without a question a new conversation begins. */
const CONVERSATION_LASTS_MS = 30 * 60 * 1_000

/** The conversation that a message belongs to, and where it is answered. */
export function chatPlaceOf(
  message: z.infer<typeof TelegramMessagePlace>,
): Pick<ChatPlace, 'conversation' | 'lane' | 'place'> & { lastsMs: number } {
  const { chat, message_id: id, message_thread_id: thread, is_topic_message: isTopic } = message
  const topic = isTopic === true ? thread : undefined
  return {
    conversation: topic === undefined ? String(chat.id) : `${chat.id}:${topic}`,
    lastsMs: CONVERSATION_LASTS_MS,
    lane: String(chat.id),
    place: {
      chat_id: String(chat.id),
      chat: chat.type === 'private' ? 'private' : 'group',
      message_id: String(id),
      ...(topic !== undefined && { thread: String(topic) }),
      ...(chat.username !== undefined && { username: chat.username }),
    },
  }
}

/** Where a message is read: only groups have addresses, and only those that Telegram calls supergroups. */
export function linkToTelegram(place: ChatPlace['place']): string | undefined {
  const { chat, chat_id: id = '', message_id: message = '', username } = place
  if (chat !== 'group' || message === '') return undefined
  const inChat = username ?? /^-100(\d+)$/.exec(id)?.[1]?.replace(/^/, 'c/')
  return inChat === undefined ? undefined : `https://t.me/${inChat}/${message}`
}
