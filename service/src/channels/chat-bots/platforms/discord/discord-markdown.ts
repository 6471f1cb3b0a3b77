import type { Citation } from '@citewell/contract/chat'
import type { List, Nodes, Text } from 'mdast'
import { markdownAddress } from '../../../../kernel/markdown-name.ts'
import { isParent, parseMarkdown, spanOf } from '../../../../platform/markdown/markdown-tree.ts'
import { alignedTable, textIn } from '../../../../platform/markdown/aligned-table.ts'

const MAX_DEPTH = 20
const MAX_ADDRESS = 1_500

/** Text that Discord shows as it is: no style, mention, emoji, link or heading. */
const discordText = (text: string) =>
  text
    .replaceAll(/[\\`*_~|<>[\]()#:@-]/g, (sign) => `\\${sign}`)
    // A number at the beginning of a line would begin a list.
    .replaceAll(/^(\d{1,9})([.)])/gm, String.raw`$1\$2`)

/** A link, or the words alone if the address is not one that a reader should follow. */
export function discordLink(url: string, text: string): string {
  const address = url.length <= MAX_ADDRESS ? markdownAddress(url) : undefined
  return address === undefined ? discordText(text) : `[${discordText(text)}](${address})`
}

interface Source {
  markdown: string
  citations: ReadonlyMap<number, Citation>
}

const unescaped = (source: string) => source.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll(/\s+/g, ' ')

function textOf(node: Text, { markdown, citations }: Source): string {
  const { start, end } = spanOf(node)
  const written = markdown.slice(start, end)
  let shown = ''
  let reached = 0
  for (const match of written.matchAll(/(?<!\\)\[(\d{1,3})\]/g)) {
    const citation = citations.get(Number(match[1]))
    if (citation === undefined) continue
    shown += `${discordText(unescaped(written.slice(reached, match.index)))}(${discordLink(citation.url, match[1] ?? '')})`
    reached = match.index + match[0].length
  }
  if (reached === 0) return discordText(node.value.replaceAll(/\s+/g, ' '))
  return shown + discordText(unescaped(written.slice(reached)))
}

const AROUND: Partial<Record<Nodes['type'], string>> = { strong: '**', emphasis: '*', delete: '~~' }

/** Code cannot hold the sign that ends it. */
const inlineCode = (code: string) => `\`${code.replaceAll('`', 'ˋ').replaceAll(/\s+/g, ' ')}\``

export const codeBlock = (code: string, language = '') =>
  `\`\`\`${/^[\w+-]{1,20}$/.test(language) ? language : ''}\n${code.replaceAll('```', '`\u200B``')}\n\`\`\``

function inline(node: Nodes, source: Source, depth = 0): string {
  if (depth > MAX_DEPTH) return discordText(textIn(node))
  if (node.type === 'text') return textOf(node, source)
  if (node.type === 'inlineCode') return inlineCode(node.value)
  if (node.type === 'break') return '\n'
  if (node.type === 'link') return discordLink(node.url, textIn(node))
  if (node.type === 'image') return discordLink(node.url, node.alt ?? 'Image')
  if (!isParent(node)) return 'value' in node ? discordText(node.value) : ''
  const inner = node.children.map((child) => inline(child, source, depth + 1)).join('')
  const around = AROUND[node.type] ?? ''
  return inner.trim() === '' ? inner : `${around}${inner}${around}`
}

function listBlocks(list: List, source: Source, depth: number): string {
  const first = list.start ?? 1
  return list.children
    .map((item, at) => {
      const sign = list.ordered === true ? `${first + at}. ` : '- '
      const blocks = item.children.flatMap((child) => blocksOf(child, source, depth + 1))
      return `${'  '.repeat(Math.min(depth, 5))}${sign}${blocks.join('\n')}`
    })
    .join('\n')
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

function blocksOf(node: Nodes, source: Source, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [discordText(textIn(node))]
  if (node.type === 'paragraph') return [inline(node, source)]
  if (node.type === 'heading') return [`**${discordText(textIn(node).replaceAll(/\s+/g, ' '))}**`]
  if (node.type === 'code') return [codeBlock(node.value, node.lang ?? '')]
  if (node.type === 'table') return [codeBlock(alignedTable(node))]
  if (node.type === 'list') return [listBlocks(node, source, depth)]
  if (node.type === 'html') return [discordText(node.value)]
  const inner = isParent(node) ? node.children.flatMap((child) => blocksOf(child, source, depth + 1)) : []
  return node.type === 'blockquote' ? inner.map(quoted) : inner
}

/** An answer as blocks of Discord's Markdown, with links to what it cites. */
export function markdownForDiscord(markdown: string, citations: readonly Citation[]): string[] {
  const source = { markdown, citations: new Map(citations.map((citation) => [citation.index, citation])) }
  return parseMarkdown(markdown)
    .children.flatMap((block) => blocksOf(block, source))
    .filter((block) => block.trim() !== '')
}
