import { isBlank } from './rst-lines.ts'

/** A table of reStructuredText: each cell is a list of lines, to be read as blocks. */
export interface RstTable {
  header: string[][][]
  rows: string[][][]
}

/**
 * Reads a grid table (`+---+---+`). Cells that span columns are put in the first of them; cells that span rows are split along the rows of
 * their neighbours.
 */
export function gridTable(lines: readonly string[]): RstTable {
  const columns = borderColumns(lines)
  const rows: string[][][] = []
  let headerRows = 0
  let open: string[][] | undefined
  for (const line of lines) {
    if (/^\+[=+]+$/.test(line.trim())) headerRows = rows.length + (open === undefined ? 0 : 1)
    if (/^\+[-=+]+\+$/.test(line.trim())) {
      if (open !== undefined) rows.push(open)
      open = undefined
    } else {
      open ??= columns.slice(1).map(() => [])
      splitGridLine(line, columns, open)
    }
  }
  if (open !== undefined) rows.push(open)
  return { header: rows.slice(0, headerRows), rows: rows.slice(headerRows) }
}

function borderColumns(lines: readonly string[]): number[] {
  const columns = new Set<number>()
  for (const line of lines) {
    if (!/^\+[-=+]+\+$/.test(line.trim())) continue
    for (const sign of line.matchAll(/\+/g)) columns.add(sign.index)
  }
  return [...columns].sort((one, other) => one - other)
}

function splitGridLine(line: string, columns: readonly number[], cells: string[][]) {
  let start = 0
  for (let column = 1; column < columns.length; column += 1) {
    const at = columns[column] ?? line.length
    const sign = line[at] ?? '|'
    if (sign !== '|' && sign !== '+') continue
    const text = line.slice((columns[start] ?? 0) + 1, at)
    // The border of a neighbouring cell is not text.
    cells[start]?.push(/^[-=+]+$/.test(text.trim()) ? '' : text)
    start = column
  }
}

/** Reads a simple table (`=====  =====`). A row without text in its first column continues the row before. */
export function simpleTable(lines: readonly string[]): RstTable {
  const border = lines[0] ?? ''
  const columns = [...border.matchAll(/=+/g)].map((run) => run.index)
  const rules = lines.flatMap((line, index) => (isSimpleBorder(line) ? [index] : []))
  const read = (from: number, to: number) => simpleRows(lines.slice(from, to), columns)
  const [first = 0, second = lines.length, third] = rules
  if (third === undefined) return { header: [], rows: read(first + 1, second) }
  return { header: read(first + 1, second), rows: read(second + 1, third) }
}

export function isSimpleBorder(line: string | undefined): boolean {
  return line !== undefined && /^\s*={2,}(?:\s+=+)+\s*$/.test(line)
}

function simpleRows(lines: readonly string[], columns: readonly number[]): string[][][] {
  const rows: string[][][] = []
  for (const line of lines) {
    if (/^[-\s]+$/.test(line) && line.includes('-')) continue
    const texts = columns.map((from, index) => line.slice(from, columns[index + 1]).trimEnd())
    const last = rows.at(-1)
    if (isBlank(line)) {
      for (const cell of last ?? []) cell.push('')
    } else if (last !== undefined && isBlank(texts[0])) {
      for (const [index, text] of texts.entries()) last[index]?.push(text)
    } else {
      rows.push(texts.map((text) => [text]))
    }
  }
  return rows
}

/** Parses comma-separated values, including quoted ones with commas and line breaks. */
export function csvRows(lines: readonly string[], delimiter: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell.trim())
    cell = ''
  }
  for (const letter of `${lines.join('\n')}\n`) {
    if (letter === '"') {
      isQuoted = !isQuoted
    } else if (letter === delimiter && !isQuoted) {
      endCell()
    } else if (letter === '\n' && !isQuoted) {
      endCell()
      rows.push([])
    } else {
      cell += letter
    }
  }
  return rows.filter((row) => row.some((text) => text !== ''))
}
