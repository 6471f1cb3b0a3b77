/** The parts of Slack's block `rich_text` that answers use. Text in it is never interpreted: no mentions, no markup, no links. */
export interface Style {
  bold?: true
  italic?: true
  strike?: true
  code?: true
}

export type Inline =
  | { type: 'text'; text: string; style?: Style }
  | { type: 'link'; url: string; text: string; style?: Style }

export interface Section {
  type: 'rich_text_section'
  elements: Inline[]
}

export interface List {
  type: 'rich_text_list'
  style: 'bullet' | 'ordered'
  indent: number
  /** How many numbers of an ordered list are before its first. */
  offset: number
  elements: Section[]
}

export type RichText =
  | Section
  | List
  | { type: 'rich_text_preformatted'; elements: Inline[] }
  | { type: 'rich_text_quote'; elements: Inline[] }

export const section = (elements: Inline[]): Section => ({ type: 'rich_text_section', elements })

export const plain = (text: string, style: Style = {}): Inline => ({
  type: 'text',
  text,
  ...(Object.keys(style).length > 0 && { style }),
})

/** What counts against the lengths of Slack: text and addresses. */
const sizeOfInline = (inline: Inline) => inline.text.length + (inline.type === 'link' ? inline.url.length : 0)

/** The sign or number of an item, and its line break. */
const MARKER_SIZE = 4

export const sizeOf = (part: RichText): number =>
  part.type === 'rich_text_list'
    ? part.elements.reduce((sum, item) => sum + sizeOf(item) + MARKER_SIZE, 0)
    : part.elements.reduce((sum, inline) => sum + sizeOfInline(inline), 1)

/** Where a text may be cut: at a line, else at a space, else anywhere that splits no character. */
function cutAt(text: string, most: number): number {
  if (text.length <= most) return text.length
  const line = text.lastIndexOf('\n', most)
  if (line > most / 2) return line + 1
  const space = text.lastIndexOf(' ', most)
  if (space > most / 2) return space + 1
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
}

/** Splits inline elements into runs of at most `most` characters. */
function splitInlines(elements: readonly Inline[], most: number): Inline[][] {
  const runs: Inline[][] = [[]]
  let size = 0
  const waiting = [...elements]
  for (let inline = waiting.shift(); inline !== undefined; inline = waiting.shift()) {
    const itsSize = sizeOfInline(inline)
    if (size + itsSize <= most) {
      runs.at(-1)?.push(inline)
      size += itsSize
    } else if (size > 0 && (inline.type === 'link' || size > most / 2)) {
      runs.push([])
      size = 0
      waiting.unshift(inline)
    } else if (inline.type === 'link') {
      // An address longer than a whole block is text.
      waiting.unshift(plain(inline.text, inline.style))
    } else {
      const cut = Math.max(1, cutAt(inline.text, most - size))
      runs.at(-1)?.push({ ...inline, text: inline.text.slice(0, cut) })
      runs.push([])
      size = 0
      waiting.unshift({ ...inline, text: inline.text.slice(cut) })
    }
  }
  return runs.filter((run) => run.length > 0)
}

/** Splits a part that is too long: code stays code, a quote a quote, an item of a list an item. */
export function splitPart(part: RichText, most: number): RichText[] {
  if (sizeOf(part) <= most) return [part]
  if (part.type === 'rich_text_list')
    return part.elements.flatMap((item, index) =>
      splitInlines(item.elements, most).map((elements) => ({
        ...part,
        offset: part.offset + index,
        elements: [section(elements)],
      })),
    )
  return splitInlines(part.elements, most).map((elements) => ({ ...part, elements }))
}
