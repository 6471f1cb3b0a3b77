import type { Nodes, Paragraph, Parent, Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified, type Processor } from 'unified'
import { isTooComplex } from './is-too-complex.ts'

/**
 * Removes the step that autolinks addresses in parsed text: it loses the source positions of the text around them. Addresses that the
 * parser itself recognises remain links.
 */
function keepPositions(this: Processor): void {
  for (const extension of (this.data().fromMarkdownExtensions ?? []).flat()) delete extension.transforms
}

const parser = unified().use(remarkParse).use(remarkGfm).use(keepPositions)

/** Each paragraph as plain text, with no Markdown interpreted. */
function plainTree(text: string): Root {
  const children = [...text.matchAll(/[^\r\n]+(?:(?:\r\n|\r|\n)[^\r\n]+)*/g)].map((match): Paragraph => {
    const [value] = match
    const place = (offset: number) => ({ line: 1, column: 1, offset })
    const position = { start: place(match.index), end: place(match.index + value.length) }
    return { type: 'paragraph', position, children: [{ type: 'text', value, position }] }
  })
  return { type: 'root', children }
}

/** Parses Markdown; a text that would take too long to parse becomes paragraphs of plain text. */
export function parseMarkdown(text: string): Root {
  return isTooComplex(text) ? plainTree(text) : parser.parse(text)
}

export const isParent = (node: Nodes): node is Nodes & Parent => 'children' in node

/** The position of a node in its source, in characters. */
export function spanOf(node: Nodes): { start: number; end: number } {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
}

/** A replacement of a part of a text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let reached = 0
  for (const edit of [...edits].sort((left, right) => left.start - right.start)) {
    if (edit.start < reached) continue
    result += text.slice(reached, edit.start) + edit.text
    reached = edit.end
  }
  return result + text.slice(reached)
}
