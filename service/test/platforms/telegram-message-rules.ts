import { z } from 'zod'

const Entity = z.strictObject({
  type: z.enum(['blockquote', 'bold', 'code', 'italic', 'pre', 'strikethrough', 'text_link']),
  offset: z.int().min(0),
  length: z.int().min(1),
  url: z
    .string()
    .regex(/^https?:\/\//)
    .optional(),
  language: z.string().min(1).optional(),
})

export type ShownEntity = z.infer<typeof Entity>

const Button = z.strictObject({ text: z.string().min(1), callback_data: z.string().min(1) })

/** What new messages and edits have. */
const words = {
  chat_id: z.string(),
  text: z.string(),
  entities: z.array(Entity).max(100).optional(),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
  reply_markup: z.strictObject({ inline_keyboard: z.array(z.array(Button).max(8)).max(100) }).optional(),
}

export const SendMessage = z.strictObject({
  ...words,
  message_thread_id: z.int().optional(),
  disable_notification: z.boolean().optional(),
  reply_parameters: z
    .strictObject({ message_id: z.int(), allow_sending_without_reply: z.boolean().optional() })
    .optional(),
})

export const EditMessageText = z.strictObject({ ...words, message_id: z.int() })

const isWithin = (one: ShownEntity, other: ShownEntity) =>
  one.offset >= other.offset && one.offset + one.length <= other.offset + other.length

const meets = (one: ShownEntity, other: ShownEntity) =>
  one.offset < other.offset + other.length && other.offset < one.offset + one.length

const STYLES = new Set(['bold', 'italic', 'strikethrough'])
const isCode = ({ type }: ShownEntity) => type === 'code' || type === 'pre'

/** Why Telegram would not show two entities as they are (Bot API, "Formatting options"). */
function faultOfPair(one: ShownEntity, other: ShownEntity): string | undefined {
  if (!meets(one, other)) return undefined
  if (!isWithin(one, other) && !isWithin(other, one)) return 'entities overlap'
  if (isCode(one) || isCode(other)) return 'code is within another entity'
  if (STYLES.has(one.type) || STYLES.has(other.type)) return undefined
  if (one.type === other.type) return `${one.type} within ${other.type}`
  return one.type === 'blockquote' || other.type === 'blockquote' ? undefined : 'links within each other'
}

/** What Telegram does not take of a message, in its own words; undefined if it takes all. */
export function faultOfMessage(given: {
  text: string
  entities?: readonly ShownEntity[] | undefined
  reply_markup?: { inline_keyboard: { callback_data: string }[][] } | undefined
}): string | undefined {
  const { text, entities = [], reply_markup: markup } = given
  if (text.trim() === '') return 'message text is empty'
  if (text.length > 4_096) return 'message is too long'
  if (markup?.inline_keyboard.flat().some(({ callback_data: data }) => Buffer.byteLength(data) > 64) === true)
    return 'BUTTON_DATA_INVALID'
  if (entities.some(({ offset, length }) => offset + length > text.length)) return 'entity is out of the text'
  if (entities.some(({ type, url }) => (type === 'text_link') !== (url !== undefined)))
    return 'link without url'
  for (const [at, one] of entities.entries())
    for (const other of entities.slice(at + 1)) {
      const fault = faultOfPair(one, other)
      if (fault !== undefined) return fault
    }
  return undefined
}

/** The names that Telegram makes mentions of by itself: everywhere but in code. */
export function mentionsIn(text: string, entities: readonly ShownEntity[] = []): string[] {
  return [...text.matchAll(/(?<!\w)@\w{2,32}/g)]
    .filter(
      ({ index }) =>
        !entities.some((one) => isCode(one) && index >= one.offset && index < one.offset + one.length),
    )
    .map(([name]) => name)
}
