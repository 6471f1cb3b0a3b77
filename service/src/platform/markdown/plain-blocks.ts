import type { Nodes } from 'mdast'
import { isParent, parseMarkdown } from './markdown-tree.ts'

/** Block nodes: the text search of a browser does not match across their edges. */
const BLOCKS = new Set(['paragraph', 'heading', 'code', 'tableCell', 'html'])

function inlineText(node: Nodes): string {
  if (node.type === 'break') return ' '
  if (node.type === 'image') return ''
  if ('value' in node) return node.type === 'html' ? '' : node.value
  return isParent(node) ? node.children.map((child) => inlineText(child)).join('') : ''
}

function collectBlocks(node: Nodes, blocks: string[]): void {
  if (BLOCKS.has(node.type)) {
    const text = inlineText(node)
    if (text.trim() !== '')
      blocks.push(node.type === 'code' ? text.trim() : text.replaceAll(/\s+/g, ' ').trim())
  } else if (isParent(node)) {
    for (const child of node.children) collectBlocks(child, blocks)
  }
}

/** The visible text of Markdown, block by block: paragraphs, headings, list items, table cells, code. */
export function plainBlocksIn(tree: Nodes): string[] {
  const blocks: string[] = []
  collectBlocks(tree, blocks)
  return blocks
}

/** The visible text of Markdown as one line. */
export function plainTextOf(markdown: string): string {
  return plainBlocksIn(parseMarkdown(markdown)).join(' ').replaceAll(/\s+/g, ' ')
}
