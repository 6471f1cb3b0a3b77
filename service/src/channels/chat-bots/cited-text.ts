import type { Citation } from '@citewell/contract/chat'
import type { Text } from 'mdast'
import { spanOf } from '../../platform/markdown/markdown-tree.ts'

/** The Markdown of an answer, and what it cites. */
export interface CitedSource {
  markdown: string
  /** By the number in the text. */
  citations: ReadonlyMap<number, Citation>
}

/** Words of an answer, or the number with which they cite a page. */
export interface CitedPiece {
  text: string
  citation?: Citation
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** A piece of Markdown source without its escapes. */
const unescaped = (source: string) =>
  source
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/&(lt|gt|amp|quot);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replaceAll(/\s+/g, ' ')

/** A text as its words and the numbers between them. An escaped `\[1]` is text of a page. */
export function citedPieces(node: Text, { markdown, citations }: CitedSource): CitedPiece[] {
  const { start, end } = spanOf(node)
  const written = markdown.slice(start, end)
  const pieces: CitedPiece[] = []
  let reached = 0
  for (const match of written.matchAll(/(?<!\\)\[(\d{1,3})\]/g)) {
    const citation = citations.get(Number(match[1]))
    if (citation === undefined) continue
    pieces.push({ text: unescaped(written.slice(reached, match.index)) }, { text: match[0], citation })
    reached = match.index + match[0].length
  }
  if (reached === 0) return [{ text: node.value.replaceAll(/\s+/g, ' ') }]
  return [...pieces, { text: unescaped(written.slice(reached)) }]
}
