import type { StructuredTextItem } from 'unpdf'

/** A printed line. */
export interface PdfLine {
  text: string
  /** Height of its largest letters, in points. */
  size: number
  /** Distance of its base line from the bottom of the page, in points. */
  y: number
  /** Where it ends, and where the longest line of its page ends, in points from the left. */
  right: number
  pageRight: number
  page: number
}

/** Joins the text items of a page, in drawing order, into lines. */
export function linesOfPage(items: readonly StructuredTextItem[], page: number): PdfLine[] {
  const lines: PdfLine[] = []
  let line: PdfLine | undefined
  for (const item of items) {
    const isSameLine =
      line !== undefined && Math.abs(line.y - item.y) < Math.max(item.fontSize, line.size) * 0.5
    if (line !== undefined && (isSameLine || item.str.trim() === '')) {
      const gap = item.x - line.right
      const needsSpace = gap > item.fontSize * 0.15 && !line.text.endsWith(' ') && !item.str.startsWith(' ')
      line.text += `${needsSpace ? ' ' : ''}${item.str}`
      if (item.str.trim() !== '') line.size = Math.max(line.size, item.fontSize)
      line.right = item.x + item.width
    } else if (item.str.trim() !== '') {
      line = {
        text: item.str,
        size: item.fontSize,
        y: item.y,
        page,
        right: item.x + item.width,
        pageRight: 0,
      }
      lines.push(line)
    }
    if (item.hasEOL) line = undefined
  }
  const pageRight = Math.max(0, ...lines.map(({ right }) => right))
  return lines
    .map((each) => ({ ...each, pageRight, text: each.text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '' && !CONTENTS_LINE.test(text.slice(-MAX_LINE_LENGTH)))
}

/** `2.1 Syntax . . . . . . 12`: a line of a table of contents. */
const MAX_LINE_LENGTH = 200
// bounded: at most 200 characters
const CONTENTS_LINE = /(?:\. ?){5,}[\divxlc]*$/

/** Lines without those repeated at the top or bottom of the pages: running titles, page numbers. */
export function withoutRunningLines(pages: readonly PdfLine[][]): PdfLine[][] {
  if (pages.length < 3) return [...pages]
  const seen = new Map<string, number>()
  for (const lines of pages) {
    for (const key of new Set(edgesOf(lines).map(sameness))) seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  const often = Math.max(3, pages.length * 0.3)
  return pages.map((lines) => {
    const edges = new Set(edgesOf(lines))
    return lines.filter(
      (line) => !edges.has(line) || ((seen.get(sameness(line)) ?? 0) < often && !/^\d+$/.test(line.text)),
    )
  })
}

function edgesOf(lines: readonly PdfLine[]): PdfLine[] {
  const byHeight = [...lines].sort((one, other) => other.y - one.y)
  return [...byHeight.slice(0, 2), ...byHeight.slice(-2)]
}

/** Page and chapter numbers differ from page to page. */
function sameness({ text }: PdfLine): string {
  return text.replaceAll(/[\divxlc]+/gi, '#')
}
