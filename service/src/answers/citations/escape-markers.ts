import { applyEdits } from '../../platform/markdown/markdown-tree.ts'
import { findMarkers } from './find-markers.ts'

/** Escapes bracketed numbers in quoted Markdown, so that a page's own references are not mistaken for citations. */
export function escapeMarkers(markdown: string): string {
  const edits = findMarkers(markdown, () => false).map(({ start, end }) => ({
    start,
    end,
    text: markdown.slice(start, end).replaceAll(/[[\]]/g, '\\$&'),
  }))
  return applyEdits(markdown, edits)
}
