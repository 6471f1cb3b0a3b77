import type { Citation } from '@citewell/contract/chat'
import type { List, Nodes, Table, Text } from 'mdast'
import { markdownAddress } from '../../kernel/markdown-name.ts'
import { oneLine } from '../../kernel/one-line.ts'
import { joinPieces, splitLines } from '../../kernel/pack-text.ts'
import { isParent, parseMarkdown } from '../../platform/markdown/markdown-tree.ts'
import { alignedTable, textIn } from '../../platform/markdown/aligned-table.ts'
import { citedPieces, type CitedSource } from './cited-text.ts'

const MAX_DEPTH = 20
const MAX_ADDRESS = 1_500

/** Below answers, where a platform has no button for it: the bot knows the word (`asks-for-person.ts`). */
export const PERSON_HINT = '*To reach a person, answer me with the one word “person”.*'

/** The end of an answer of which the last messages are left out. */
export const LEFT_OUT = '… The answer is longer than a chat can show.'

/** What differs between the kinds of Markdown that chat platforms read. */
export interface MarkdownDialect {
  /** Text that is shown as it is: no style, mention, emoji, link or heading. */
  text(text: string): string
  /** A marker of a citation in the text. */
  citation(index: number, citation: Citation): string
  /** Where the platform has tables; otherwise they become aligned text. */
  table?(table: Table): string
}

/** A link, or the words alone if the address is not one that a reader should follow. */
export function chatLink(url: string, text: string, dialect: Pick<MarkdownDialect, 'text'>): string {
  const address = url.length <= MAX_ADDRESS ? markdownAddress(url) : undefined
  return address === undefined ? dialect.text(text) : `[${dialect.text(text)}](${address})`
}

const MAX_SOURCES = 20

/** The pages of an answer as a block with a heading; no block if there are none. */
export function sourcesBlock(citations: readonly Citation[], dialect: MarkdownDialect): string[] {
  if (citations.length === 0) return []
  const lines = citations
    .slice(0, MAX_SOURCES)
    .map(
      ({ index, title, url }) => `${index}\\. ${chatLink(url, oneLine(title, 150) || 'Untitled', dialect)}`,
    )
  return [['**Sources**', ...lines].join('\n')]
}

interface Source extends CitedSource {
  dialect: MarkdownDialect
}

const textOf = (node: Text, source: Source): string =>
  citedPieces(node, source)
    .map(({ text, citation }) =>
      citation === undefined ? source.dialect.text(text) : source.dialect.citation(citation.index, citation),
    )
    .join('')

/** Code cannot hold the sign that ends it. */
const inlineCode = (code: string) => `\`${code.replaceAll('`', 'ˋ').replaceAll(/\s+/g, ' ')}\``

const codeBlock = (code: string, language = '') =>
  `\`\`\`${/^[\w+-]{1,20}$/.test(language) ? language : ''}\n${code.replaceAll('```', '`\u200B``')}\n\`\`\``

const AROUND: Partial<Record<Nodes['type'], string>> = { strong: '**', emphasis: '*', delete: '~~' }

function inline(node: Nodes, source: Source, depth = 0): string {
  const { dialect } = source
  if (depth > MAX_DEPTH) return dialect.text(textIn(node))
  if (node.type === 'text') return textOf(node, source)
  if (node.type === 'inlineCode') return inlineCode(node.value)
  if (node.type === 'break') return '\n'
  if (node.type === 'link') return chatLink(node.url, textIn(node), dialect)
  if (node.type === 'image') return chatLink(node.url, node.alt ?? 'Image', dialect)
  if (!isParent(node)) return 'value' in node ? dialect.text(node.value) : ''
  const inner = node.children.map((child) => inline(child, source, depth + 1)).join('')
  const around = AROUND[node.type] ?? ''
  return inner.trim() === '' ? inner : `${around}${inner}${around}`
}

/** Cannot follow the sign of an item: it would end with its line, and the others be read as Markdown, code too. */
const BEHIND_NO_SIGN = new Set<Nodes['type']>(['blockquote', 'code', 'list', 'table'])

function listBlocks(list: List, source: Source, depth: number): string {
  const first = list.start ?? 1
  return list.children
    .map((item, at) => {
      const sign = list.ordered === true ? `${first + at}. ` : '- '
      const blocks = item.children.flatMap((child) => blocksOf(child, source, depth + 1))
      const [block] = item.children
      const own = block !== undefined && BEHIND_NO_SIGN.has(block.type) ? ['\u200B\n'] : []
      return `${'  '.repeat(Math.min(depth, 5))}${sign}${[...own, ...blocks].join('\n')}`
    })
    .join('\n')
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

function blocksOf(node: Nodes, source: Source, depth = 0): string[] {
  const { dialect } = source
  if (depth > MAX_DEPTH) return [dialect.text(textIn(node))]
  if (node.type === 'paragraph') return [inline(node, source)]
  if (node.type === 'heading') return [`**${dialect.text(textIn(node).replaceAll(/\s+/g, ' '))}**`]
  if (node.type === 'code') return [codeBlock(node.value, node.lang ?? '')]
  if (node.type === 'table') return [dialect.table?.(node) ?? codeBlock(alignedTable(node))]
  if (node.type === 'list') return [listBlocks(node, source, depth)]
  if (node.type === 'html') return [dialect.text(node.value)]
  const inner = isParent(node) ? node.children.flatMap((child) => blocksOf(child, source, depth + 1)) : []
  return node.type === 'blockquote' ? inner.map(quoted) : inner
}

/** An answer as blocks of a platform's Markdown, with links to what it cites. */
export function chatMarkdown(
  markdown: string,
  citations: readonly Citation[],
  dialect: MarkdownDialect,
): string[] {
  const source = {
    markdown,
    citations: new Map(citations.map((citation) => [citation.index, citation])),
    dialect,
  }
  return parseMarkdown(markdown)
    .children.flatMap((block) => blocksOf(block, source))
    .filter((block) => block.trim() !== '')
}

/** A line that begins or ends code, also in a quote. No line of code is one: see `codeBlock`. */
const FENCE = /^(?:> )*```[\w+-]*$/
/** Of two such lines. */
const FENCES_LENGTH = 150

/** Pieces of a block in which code that is cut ends, and begins again: code stays code, wherever it is. */
function fenced(pieces: readonly string[]): string[] {
  /** The line that began the code in which a piece ends. */
  let code: string | undefined
  return pieces.map((piece) => {
    const lines = code === undefined ? [] : [code]
    // Nothing between two of them is no code.
    const end = (line: string) => void (lines.at(-1) === code ? lines.pop() : lines.push(line))
    for (const line of piece.split('\n')) {
      if (FENCE.test(line) && code !== undefined) {
        end(line)
        code = undefined
      } else {
        lines.push(line)
        if (FENCE.test(line)) code = line
      }
    }
    if (code !== undefined) end(code.slice(0, code.indexOf('```') + 3))
    return lines.join('\n')
  })
}

const splitBlock = (block: string, most: number): string[] =>
  block.length <= most ? [block] : fenced(splitLines(block, most - FENCES_LENGTH))

/** Blocks as messages of at most so many characters, split between blocks, and never within code that fits. */
export const packBlocks = (blocks: readonly string[], most: number): string[] =>
  joinPieces(
    blocks.flatMap((each) => splitBlock(each, most)).filter((piece) => piece !== ''),
    most,
  )
