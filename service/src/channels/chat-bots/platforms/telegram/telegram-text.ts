import { cutIndex } from '../../../../kernel/cut-text.ts'

/** How Telegram shows a part of a text. It counts as JavaScript does, in UTF-16 units. */
export interface TelegramEntity {
  type: 'blockquote' | 'bold' | 'code' | 'italic' | 'pre' | 'strikethrough' | 'text_link'
  offset: number
  length: number
  /** Of a link. */
  url?: string
  /** Of a block of code. */
  language?: string
}

/** A text with its styles and links beside it: nothing in the text itself is markup. */
export interface TelegramText {
  text: string
  entities: readonly TelegramEntity[]
}

/** Telegram takes 4,096 characters, and shows the first hundred entities of a message. */
const MAX_TEXT = 4_096
const MAX_ENTITIES = 100

/** Telegram itself makes a mention of a name after `@`, which notifies: an invisible space keeps it from that. Code has none. */
export const unmentioned = (text: string) =>
  text.replaceAll(/(?<![\p{L}\p{N}_])@(?=[\p{L}\p{N}_])/gu, '@\u200B')

export const plain = (text: string): TelegramText => ({ text: unmentioned(text), entities: [] })

/** The whole text in one form. */
export const formed = (
  text: string,
  type: TelegramEntity['type'],
  more: Pick<TelegramEntity, 'url' | 'language'> = {},
): TelegramText => ({
  text,
  entities: text === '' ? [] : [{ type, offset: 0, length: text.length, ...more }],
})

export function joined(parts: readonly TelegramText[], between = ''): TelegramText {
  let text = ''
  const entities: TelegramEntity[] = []
  for (const [at, part] of parts.entries()) {
    if (at > 0) text += between
    for (const entity of part.entities) entities.push({ ...entity, offset: entity.offset + text.length })
    text += part.text
  }
  return { text, entities }
}

/** The same text in one more form, except for its code: Telegram shows code in no other. */
export function styled({ text, entities }: TelegramText, type: TelegramEntity['type']): TelegramText {
  const added: TelegramEntity[] = []
  const add = (offset: number, end: number) => {
    if (text.slice(offset, end).trim() !== '') added.push({ type, offset, length: end - offset })
  }
  let reached = 0
  const code = entities.filter((one) => one.type === 'code' || one.type === 'pre')
  for (const { offset, length } of code.toSorted((one, other) => one.offset - other.offset)) {
    add(reached, offset)
    reached = offset + length
  }
  add(reached, text.length)
  return { text, entities: [...added, ...entities] }
}

/** A part of a text. */
function cut({ text, entities }: TelegramText, start: number, end: number): TelegramText {
  const within = entities.flatMap((entity): TelegramEntity[] => {
    const from = Math.max(entity.offset, start)
    const length = Math.min(entity.offset + entity.length, end) - from
    return length > 0 ? [{ ...entity, offset: from - start, length }] : []
  })
  return { text: text.slice(start, end), entities: within }
}

/** How much of a text fits into a message. */
function fittingLength({ text, entities }: TelegramText): number {
  const offsets = entities.map(({ offset }) => offset).toSorted((one, other) => one - other)
  return Math.max(1, Math.min(text.length, MAX_TEXT, offsets[MAX_ENTITIES] ?? Infinity))
}

/** Splits what is too long for a message between lines; code stays code. */
function split(block: TelegramText): TelegramText[] {
  const pieces: TelegramText[] = []
  let rest = block
  for (;;) {
    const most = fittingLength(rest)
    if (most === rest.text.length) return [...pieces, rest]
    const line = rest.text.lastIndexOf('\n', most)
    const at = line > 0 ? line : Math.max(1, cutIndex(rest.text, most))
    pieces.push(cut(rest, 0, at))
    rest = cut(rest, line > 0 ? at + 1 : at, rest.text.length)
  }
}

/** Blocks as few messages, split between blocks, and never within code that fits. */
export function packTexts(blocks: readonly TelegramText[]): TelegramText[] {
  const packed: TelegramText[] = []
  for (const piece of blocks.flatMap(split)) {
    if (piece.text.trim() === '') continue
    const last = packed.at(-1)
    const both = last && joined([last, piece], '\n\n')
    if (both !== undefined && fittingLength(both) === both.text.length) packed[packed.length - 1] = both
    else packed.push(piece)
  }
  return packed
}
