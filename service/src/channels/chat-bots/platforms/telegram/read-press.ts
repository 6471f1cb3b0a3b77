import { z } from 'zod'
import type { PlatformEvent } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'
import { chatPlaceOf, nameOf, TelegramMessagePlace, TelegramUser } from './telegram-place.ts'

/** What the button for a person carries. Telegram takes 64 bytes. */
export const PERSON_DATA = 'person'

/** What a rating button carries. */
export const ratingData = (vote: 'up' | 'down', messageId: string) => `${vote}:${messageId}`

const Press = z.looseObject({
  id: z.string().min(1).max(100),
  from: TelegramUser,
  message: TelegramMessagePlace.optional(),
  data: z.string().max(64).optional(),
})

/** Ends the waiting that the button shows, with words that only who pressed it sees. */
interface PressAnswer extends Record<string, unknown> {
  callback_query_id: string
  text?: string
}

export interface ReadPress {
  answer: PressAnswer
  event: PlatformEvent<ChatIncoming> | undefined
}

/** What a press on a button under an answer means; undefined if it is none. */
export function readPress(update: unknown): ReadPress | undefined {
  const press = Press.safeParse(update).data
  if (press === undefined) return undefined
  const { id, from, message, data = '' } = press
  const [vote, messageId] = data.split(':', 2)
  if ((vote === 'up' || vote === 'down') && messageId !== undefined && messageId !== '') {
    const incoming: ChatIncoming = { kind: 'rating', messageId, vote }
    return {
      answer: { callback_query_id: id, text: 'Thank you.' },
      event: { deliveryId: `press ${id}`, lane: `rating ${messageId}`, incoming },
    }
  }
  if (data !== PERSON_DATA || message === undefined)
    return { answer: { callback_query_id: id }, event: undefined }
  const place = chatPlaceOf(message)
  return {
    answer: { callback_query_id: id },
    event: {
      deliveryId: `press ${id}`,
      lane: place.conversation,
      channel: place.lane,
      incoming: { kind: 'wants_person', ...place, asker: nameOf(from) },
    },
  }
}
