import type { Nodes, Parent, Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified, type Processor } from 'unified'

/**
 * Takes out a step that looks for addresses in finished text: it loses where in the source the text around them stood.
 * Addresses that the parser itself finds are links as before.
 */
function keepPositions(this: Processor): void {
  for (const extension of (this.data().fromMarkdownExtensions ?? []).flat()) delete extension.transforms
}

const parser = unified().use(remarkParse).use(remarkGfm).use(keepPositions)

export function parseMarkdown(text: string): Root {
  return parser.parse(text)
}

export const isParent = (node: Nodes): node is Nodes & Parent => 'children' in node

/** Where a node stands in its source, in characters. */
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
