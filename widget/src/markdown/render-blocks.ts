import type { MarkedToken, Token, Tokens } from 'marked'
import { langOf, type Block } from './blocks.ts'
import { linkOf, isWebAddress } from './safe-link.ts'

/** Makes an element: `h` of Preact or `createElement` of React. The renderer needs neither. */
export type MakeElement<Node> = (
  tag: string,
  properties: Record<string, unknown> | null,
  ...children: (Node | string)[]
) => Node

/** What the surroundings decide. */
export interface RenderParts<Node> {
  h: MakeElement<Node>
  /** The chip of a citation, or undefined if there is no citation with this number: then the text stays text. */
  citation(index: number): Node | undefined
  /** A block of code. */
  code(text: string, lang: string): Node
  /** Properties of a link to an address that has been found safe. */
  link(href: string): Record<string, unknown>
  /** Whether an image may be shown: only of a finished answer, and from a host of a cited page. Otherwise it is a link. */
  isImageShown(address: string): boolean
  /** The level of a heading in this block, 2 to 6: see `headingLevels`. */
  headingLevel: number
}

type Children<Node> = (Node | string)[]

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&nbsp;': '\u00a0',
  '&hellip;': '…',
  '&mdash;': '—',
  '&ndash;': '–',
}

/** Characters that turn or hide the text around them. An answer does not need them: `dir="auto"` does their work. */
const BIDI = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu

const plain = (text: string) =>
  text
    .replaceAll(
      /&(?:amp|lt|gt|quot|#39|apos|nbsp|hellip|mdash|ndash);/g,
      (entity) => ENTITIES[entity] ?? entity,
    )
    .replaceAll(BIDI, '')

/**
 * The last character before a citation: the word to which it belongs cannot be broken before it, and browsers break before and behind
 * a box, which a citation is.
 */
const ENDING = /\S ?$/u

/** What no line begins with. */
const CLOSING = /^[\p{Pe}\p{Pf}.,:;!?。、，．：；！？]/u

/** Words of tokens, without their markup: for names. */
const wordsOf = (tokens: readonly Token[] | undefined): string =>
  (tokens ?? [])
    .map((token) =>
      'tokens' in token && token.tokens ? wordsOf(token.tokens) : ((token as { text?: string }).text ?? ''),
    )
    .join('')

/** Renders blocks. Nothing of a text becomes markup: elements are made here, texts are put into them as texts. */
export function createRenderer<Node>(parts: RenderParts<Node>) {
  const { h } = parts

  /** A text, with its `[n]` made citations, each in the line of the word before it and of the full stop behind it. */
  function textOf(text: string): Children<Node> {
    const made: Children<Node> = []
    const pieces = text.split(/(\[\d{1,3}\])/)
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] ?? ''
      const [, index] = /^\[(\d{1,3})\]$/.exec(piece) ?? []
      const citation = index === undefined ? undefined : parts.citation(Number(index))
      if (citation === undefined) {
        made.push(plain(piece))
        continue
      }
      const before = made.at(-1)
      const [held = ''] = typeof before === 'string' ? (ENDING.exec(before) ?? []) : []
      if (typeof before === 'string') made.splice(-1, 1, before.slice(0, before.length - held.length))
      const [closing = ''] = CLOSING.exec(pieces[at + 1] ?? '') ?? []
      pieces[at + 1] = (pieces[at + 1] ?? '').slice(closing.length)
      made.push(h('span', { class: 'cited' }, ...[held, citation, closing].filter((part) => part !== '')))
    }
    return made.filter((piece) => piece !== '')
  }

  function linkTo({ href, tokens, text }: Tokens.Link): Children<Node> {
    // `[1](address)`: a citation is what the service says it is, not what the text says.
    const [, index] = /^\[?(\d{1,3})\]?$/.exec(text) ?? []
    const cited = index === undefined ? undefined : parts.citation(Number(index))
    if (cited !== undefined) return [cited]
    const safe = linkOf(href)
    const words = inline(tokens)
    return safe === undefined ? words : [h('a', parts.link(safe), ...words)]
  }

  function imageOf({ href, text }: Tokens.Image): Node | string {
    const words = plain(text) || href
    if (!isWebAddress(href)) return words
    return parts.isImageShown(href)
      ? h('img', {
          src: href,
          alt: plain(text),
          loading: 'lazy',
          decoding: 'async',
          referrerpolicy: 'no-referrer',
          class: 'image',
        })
      : h('a', parts.link(href), words)
  }

  const htmlOf = ({ raw }: { raw: string }): Node | string =>
    /^<br\s*\/?>$/i.test(raw.trim()) ? h('br', null) : plain(raw)

  function inlineOf(token: MarkedToken): Children<Node> {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the rest are blocks: see below
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        return [h(token.type, null, ...inline(token.tokens))]
      case 'codespan':
        return [h('code', { dir: 'ltr' }, plain(token.text))]
      case 'link':
        return linkTo(token)
      case 'image':
        return [imageOf(token)]
      case 'checkbox':
        return [token.checked ? '☑ ' : '☐ ']
      case 'br':
        return [h('br', null)]
      case 'html':
        return [htmlOf(token)]
      case 'text':
        return 'tokens' in token && token.tokens ? inline(token.tokens) : textOf(token.text)
      default:
        return blockOf(token)
    }
  }

  const inline = (tokens: readonly Token[] | undefined): Children<Node> =>
    (tokens ?? []).flatMap((token) => inlineOf(token as MarkedToken))

  function listOf({ ordered, start, items }: Tokens.List): Node {
    const from = ordered && typeof start === 'number' && start > 1 ? { start } : null
    return h(ordered ? 'ol' : 'ul', from, ...items.map((item) => h('li', null, ...inline(item.tokens))))
  }

  function tableOf({ header, rows, align }: Tokens.Table): Node {
    const cellsOf = (tag: string, cells: Tokens.TableCell[]) =>
      h(
        'tr',
        null,
        ...cells.map(({ tokens }, at) =>
          h(
            tag,
            { ...(tag === 'th' && { scope: 'col' }), ...(align[at] && { class: align[at] }) },
            ...inline(tokens),
          ),
        ),
      )
    const name = header.map(({ tokens }) => plain(wordsOf(tokens))).join(', ')
    return h(
      'div',
      { class: 'table', role: 'group', tabIndex: 0, 'aria-label': name.slice(0, 200) },
      h(
        'table',
        null,
        h('thead', null, cellsOf('th', header)),
        h('tbody', null, ...rows.map((row) => cellsOf('td', row))),
      ),
    )
  }

  function blockOf(token: MarkedToken): Children<Node> {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the rest stand in lines: see above
    switch (token.type) {
      case 'heading':
        return [h(`h${parts.headingLevel}`, null, ...inline(token.tokens))]
      case 'paragraph':
        return [h('p', null, ...inline(token.tokens))]
      case 'blockquote':
        return [h('blockquote', null, ...inline(token.tokens))]
      case 'list':
        return [listOf(token)]
      case 'table':
        return [tableOf(token)]
      case 'code':
        return [parts.code(token.text, langOf(token))]
      case 'hr':
        return [h('hr', null)]
      case 'html':
        return [h('p', null, plain(token.raw.trim()))]
      case 'escape':
        return [plain(token.text)]
      case 'space':
      case 'def':
        return []
      default:
        return [plain(token.raw)]
    }
  }

  /** The nodes of one block. */
  return (block: Block): Children<Node> => {
    if (block.type === 'code') return [parts.code(block.text, block.lang)]
    return block.type === 'plain'
      ? [h('p', { class: 'plain' }, plain(block.text))]
      : blockOf(block.token as MarkedToken)
  }
}

/**
 * The level of headings in each block, without gaps, whatever the answer skips: a deeper heading is one deeper than the one above.
 *
 * @param first - the level of the answer's first headings
 */
export function headingLevels(blocks: readonly Block[], first: number): number[] {
  let above: number[] = []
  return blocks.map((block) => {
    if (block.type !== 'token' || block.token.type !== 'heading') return Math.min(6, first + above.length)
    const { depth } = block.token as Tokens.Heading
    above = [...above.filter((other) => other < depth), depth]
    return Math.min(6, first + above.length - 1)
  })
}
