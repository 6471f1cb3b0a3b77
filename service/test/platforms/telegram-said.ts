import type { TelegramUpdate } from './telegram-reception.ts'
import type { TelegramMessage } from './telegram-stand-in.ts'

let made = 0

const ADA = { id: 501, is_bot: false, first_name: 'Ada', last_name: '[L]', username: 'ada_l' }

export const PRIVATE = { id: 501, type: 'private', first_name: 'Ada', username: 'ada_l' }
export const GROUP = { id: -100_200, type: 'supergroup', title: 'Help' }

interface Entity {
  type: string
  offset: number
  length: number
}

/** Names and commands of a text, as Telegram finds them. */
const entitiesOf = (text: string): Entity[] => [
  ...[...text.matchAll(/(?<!\w)@\w{2,32}/g)].map((match) => ({
    type: 'mention',
    offset: match.index,
    length: match[0].length,
  })),
  ...[...text.matchAll(/(?<!\S)\/\w+(?:@\w+)?/g)].map((match) => ({
    type: 'bot_command',
    offset: match.index,
    length: match[0].length,
  })),
]

type Update = TelegramUpdate & { message: Record<string, unknown> & { message_id: number } }

/** A message of a person. */
export function telegramSaid(
  text: string,
  { chat = PRIVATE, ...fields }: { chat?: object; [field: string]: unknown } = {},
): Update {
  made += 1
  const message = {
    message_id: 100 + made,
    date: Math.floor(Date.now() / 1_000),
    from: ADA,
    chat,
    text,
    entities: entitiesOf(text),
    ...fields,
  }
  return { update_id: 70_000 + made, message }
}

/** A press on a button under a message of the bot. */
export function telegramPressed(
  data: string | undefined,
  of: Pick<TelegramMessage, 'message_id'> | undefined,
  chat: object = PRIVATE,
  fields: object = {},
): TelegramUpdate & { callback_query: { id: string; [field: string]: unknown } } {
  made += 1
  return {
    update_id: 70_000 + made,
    callback_query: {
      id: `press-${made}`,
      from: ADA,
      chat_instance: '1',
      message: { message_id: of?.message_id ?? 0, date: 1, chat, ...fields },
      ...(data !== undefined && { data }),
    },
  }
}
