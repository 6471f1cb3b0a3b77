/**
 * What the parser may see. It is not safe against hostile text: 2,000 nested quotes overflow its stack, 500 nested lists take
 * seconds, 10,000 unmatched markers one second. A part of a text beyond these bounds is shown as it is, without Markdown.
 */
const MOST = {
  /** Characters of a whole answer. The service's own limit is far lower. */
  text: 200_000,
  /** Characters of a part: what is between two empty lines. */
  part: 20_000,
  /** Columns before a nested list item: 24 levels of four. */
  indent: 96,
  /** Markers of one kind in a line, and in a part. */
  markersOfLine: 400,
  markersOfPart: 2_000,
  /** Cells of a table: the parser fills up rows that are too short. */
  cells: 4_000,
} as const

/** What starts or ends emphasis, links, code, references and automatic links. */
const MARKERS = ['*', '_', '`', '[', ']', '~', '<', '!', '&', '\\', '@', ':', '(', ')'] as const

function countOf(text: string, marker: string): number {
  let count = 0
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) count++
  return count
}

/** 25 markers of quotes and list items in a row: that many levels in one line. */
const DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){25}/

function isLineTame(line: string): boolean {
  const indent = line.length - line.trimStart().length + 3 * countOf(line.slice(0, MOST.indent), '\t')
  return (
    indent <= MOST.indent &&
    !DEEP.test(line) &&
    (line.length <= MOST.markersOfLine ||
      MARKERS.every((marker) => countOf(line, marker) <= MOST.markersOfLine))
  )
}

/** Whether the parser may see a part of a text, which has no empty line within. */
export function isTame(part: string): boolean {
  if (part.length > MOST.part) return false
  const lines = part.split('\n')
  const columns = Math.max(...lines.map((line) => countOf(line, '|')))
  return (
    columns * lines.length <= MOST.cells &&
    lines.every(isLineTame) &&
    (part.length <= MOST.markersOfPart ||
      MARKERS.every((marker) => countOf(part, marker) <= MOST.markersOfPart))
  )
}

/** The start of a text that is too long. */
export const cutText = (text: string): string =>
  text.length <= MOST.text ? text : `${text.slice(0, MOST.text)}…`
