import type { Citation } from '@citewell/contract/chat'
import type { List as MarkdownList, ListItem, Nodes, Parent, Text } from 'mdast'
import { markdownAddress } from '../../../../kernel/markdown-name.ts'
import { isParent, parseMarkdown } from '../../../../platform/markdown/markdown-tree.ts'
import { alignedTable, textIn } from '../../../../platform/markdown/aligned-table.ts'
import { citedPieces, type CitedSource } from '../../cited-text.ts'
import { plain, section, type Inline, type RichText, type Style } from './rich-text.ts'

/** Longer addresses become text. */
const MAX_ADDRESS = 2_000
const MAX_INDENT = 6
const MAX_DEPTH = 30

/** A link, or the words alone if the address is not one that a reader should follow. */
export function linkTo(url: string, text: string, style: Style = {}): Inline {
  const address = url.length <= MAX_ADDRESS ? markdownAddress(url) : undefined
  if (address === undefined || text === '') return plain(text, style)
  return { type: 'link', url: address, text, ...(Object.keys(style).length > 0 && { style }) }
}

/** Text with its citation markers as links to the cited pages. */
const textInlines = (node: Text, style: Style, source: CitedSource): Inline[] =>
  citedPieces(node, source).map(({ text, citation }) =>
    citation === undefined ? plain(text, style) : linkTo(citation.url, text),
  )

const STYLES: Partial<Record<Nodes['type'], Style>> = {
  strong: { bold: true },
  emphasis: { italic: true },
  delete: { strike: true },
}

function inlinesOf(node: Nodes, style: Style, source: CitedSource, depth = 0): Inline[] {
  if (depth > MAX_DEPTH) return [plain(textIn(node), style)]
  if (node.type === 'text') return textInlines(node, style, source)
  if (node.type === 'inlineCode') return [plain(node.value, { ...style, code: true })]
  if (node.type === 'break') return [plain('\n')]
  if (node.type === 'link') return [linkTo(node.url, textIn(node), style)]
  if (node.type === 'image') return [linkTo(node.url, node.alt ?? 'Image', style)]
  if (!isParent(node)) return 'value' in node ? [plain(node.value, style)] : []
  const inner = { ...style, ...STYLES[node.type] }
  return node.children.flatMap((child) => inlinesOf(child, inner, source, depth + 1))
}

/** Slack refuses empty text. */
const cleaned = (inlines: Inline[]) => inlines.filter(({ text }) => text !== '')

const preformatted = (text: string): RichText[] =>
  text.trim() === '' ? [] : [{ type: 'rich_text_preformatted', elements: [plain(text)] }]

function listParts(list: MarkdownList, indent: number, source: CitedSource): RichText[] {
  const style = list.ordered === true ? 'ordered' : 'bullet'
  const first = (list.start ?? 1) - 1
  return list.children.flatMap((item: ListItem, index) => {
    const words = item.children.filter(({ type }) => type === 'paragraph' || type === 'heading')
    const others = item.children.filter(({ type }) => type !== 'paragraph' && type !== 'heading')
    const inlines = words.flatMap((block, at) => [
      ...(at > 0 ? [plain('\n')] : []),
      ...inlinesOf(block, {}, source),
    ])
    const elements = cleaned(inlines)
    const own: RichText = {
      type: 'rich_text_list',
      style,
      indent: Math.min(indent, MAX_INDENT),
      offset: Math.max(0, first + index),
      elements: [section(elements.length === 0 ? [plain(' ')] : elements)],
    }
    return [own, ...others.flatMap((block) => partsOf(block, source, indent + 1))]
  })
}

/** A paragraph with an empty line after it. */
const paragraph = (inlines: Inline[]): RichText[] => {
  const elements = cleaned(inlines)
  return elements.length === 0 ? [] : [section([...elements, plain('\n')])]
}

function partsOf(node: Nodes, source: CitedSource, indent = 0): RichText[] {
  if (indent > MAX_DEPTH) return paragraph([plain(textIn(node))])
  if (node.type === 'paragraph') return paragraph(inlinesOf(node, {}, source))
  if (node.type === 'heading') return paragraph(inlinesOf(node, { bold: true }, source))
  if (node.type === 'code') return preformatted(node.value)
  if (node.type === 'table') return preformatted(alignedTable(node))
  if (node.type === 'list') return listParts(node, indent, source)
  if (node.type === 'blockquote') return quoteParts(node, source, indent)
  if (node.type === 'html') return paragraph([plain(node.value)])
  return isParent(node) ? node.children.flatMap((child) => partsOf(child, source, indent + 1)) : []
}

/** The paragraphs of a quote as one; code and lists in it as themselves. */
const quoteParts = (quote: Parent & Nodes, source: CitedSource, indent: number): RichText[] =>
  quote.children.flatMap((child): RichText[] => {
    if (child.type !== 'paragraph' && child.type !== 'heading') return partsOf(child, source, indent + 1)
    const elements = cleaned(inlinesOf(child, {}, source))
    return elements.length === 0 ? [] : [{ type: 'rich_text_quote', elements }]
  })

/** An answer as parts of `rich_text`, with links to what it cites. */
export function markdownToRichText(markdown: string, citations: readonly Citation[]): RichText[] {
  const source = { markdown, citations: new Map(citations.map((citation) => [citation.index, citation])) }
  return parseMarkdown(markdown).children.flatMap((block) => partsOf(block, source))
}
