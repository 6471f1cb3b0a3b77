import { applyEdits } from '../../platform/markdown/markdown-tree.ts'
import { findMarkers } from './find-markers.ts'

/** Makes bracketed numbers of quoted Markdown plain text, so that nobody takes a page's own references for citations. */
export function escapeMarkers(markdown: string): string {
  const edits = findMarkers(markdown, () => false).map(({ start, end }) => ({
    start,
    end,
    text: markdown.slice(start, end).replaceAll(/[[\]]/g, '\\$&'),
  }))
  return applyEdits(markdown, edits)
}
