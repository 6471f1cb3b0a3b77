import type { Nodes } from 'mdast'
import {
  applyEdits,
  isParent,
  parseMarkdown,
  spanOf,
  type Edit,
} from '../../platform/markdown/markdown-tree.ts'
import { findMarkers } from './find-markers.ts'

const escaped = (text: string) => text.replaceAll(/[[\]]/g, String.raw`\$&`)

/** A bracketed number that is not escaped, wherever it stands. */
const NUMBER = /(?<!\\)\[\s{0,9}\d{1,9}(?:\s{0,9}[,;]\s{0,9}\d{1,9}){0,40}\s{0,9}\]/g
/** All that a link shows, if that is a number: `[20](https://…)` begins as a citation does. */
const ONLY_NUMBERS = /^\s{0,9}\d{1,9}(?:\s{0,9}[,;]\s{0,9}\d{1,9}){0,40}\s{0,9}$/

/** Edits of links whose words are a number, or have one in brackets: `[[20]](https://…)`. */
function linkEdits(markdown: string): Edit[] {
  const edits: Edit[] = []
  const escapeTexts = (node: Nodes) => {
    if (node.type === 'text') {
      const { start, end } = spanOf(node)
      for (const { 0: number, index } of markdown.slice(start, end).matchAll(NUMBER))
        edits.push({ start: start + index, end: start + index + number.length, text: escaped(number) })
    } else if (isParent(node)) node.children.forEach(escapeTexts)
  }
  const visit = (node: Nodes) => {
    if (node.type === 'link') {
      const { start, end } = spanOf(node)
      const inner = node.children.map((child) => spanOf(child))
      const shown = markdown.slice(inner[0]?.start, inner.at(-1)?.end)
      // Its brackets are those of the link: the words stay, without it.
      if (inner.length > 0 && markdown[start] === '[' && ONLY_NUMBERS.test(shown))
        edits.push({ start, end, text: shown })
      else escapeTexts(node)
    } else if (isParent(node)) node.children.forEach(visit)
  }
  visit(parseMarkdown(markdown))
  return edits
}

/** Escapes bracketed numbers in quoted Markdown, so that a page's own references are not mistaken for citations. */
export function escapeMarkers(markdown: string): string {
  if (markdown.search(NUMBER) === -1) return markdown
  const markers = findMarkers(markdown, () => false).map(({ start, end }) => ({
    start,
    end,
    text: escaped(markdown.slice(start, end)),
  }))
  return applyEdits(markdown, [...markers, ...(markdown.includes('](') ? linkEdits(markdown) : [])])
}
