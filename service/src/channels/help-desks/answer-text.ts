import type { Citation } from '@citewell/contract/chat'
import type { List, Nodes } from 'mdast'
import { oneLine } from '../../kernel/one-line.ts'
import { isParent, parseMarkdown } from '../../platform/markdown/markdown-tree.ts'
import { alignedTable, textIn } from '../../platform/markdown/aligned-table.ts'

const MAX_DEPTH = 20
const MAX_TITLE = 200

function inline(node: Nodes, depth = 0): string {
  if (depth > MAX_DEPTH) return textIn(node)
  if (node.type === 'break') return '\n'
  if (node.type === 'link') {
    const words = textIn(node)
    return words === node.url ? words : `${words} (${node.url})`
  }
  if (node.type === 'image') return node.alt ?? ''
  if (!isParent(node)) return 'value' in node ? node.value : ''
  return node.children.map((child) => inline(child, depth + 1)).join('')
}

const indented = (text: string, by: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : by + line))
    .join('\n')

function listText(list: List, depth: number): string {
  const first = list.start ?? 1
  return list.children
    .map((item, at) => {
      const sign = list.ordered === true ? `${first + at}. ` : '- '
      const blocks = item.children.flatMap((child) => blocksOf(child, depth + 1)).join('\n')
      return sign + indented(blocks, ' '.repeat(sign.length)).trimStart()
    })
    .join('\n')
}

function blocksOf(node: Nodes, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [textIn(node)]
  if (node.type === 'paragraph' || node.type === 'heading') return [inline(node)]
  if (node.type === 'code') return [indented(node.value, '    ')]
  if (node.type === 'table') return [indented(alignedTable(node), '    ')]
  if (node.type === 'list') return [listText(node, depth)]
  if (node.type === 'thematicBreak') return []
  if (!isParent(node)) return [inline(node)]
  const inner = node.children.flatMap((child) => blocksOf(child, depth + 1))
  return node.type === 'blockquote' ? inner.map((block) => indented(block, '> ')) : inner
}

/**
 * An answer as plain text: mails and tickets of every help desk show it, and nothing in it is markup.
 *
 * @param markdown written by a model, or quoted from pages: untrusted
 */
export function answerText(markdown: string, citations: readonly Citation[], closing: string): string {
  const body = parseMarkdown(markdown).children.flatMap((block) => blocksOf(block))
  const sources = citations.map(
    ({ index, title, url }) => `[${index}] ${oneLine(title, MAX_TITLE)}\n    ${url}`,
  )
  return [
    ...body.filter((block) => block.trim() !== ''),
    ...(sources.length === 0 ? [] : [['Sources', ...sources].join('\n')]),
    ...(closing === '' ? [] : [closing]),
  ].join('\n\n')
}
