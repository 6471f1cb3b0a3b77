import { DOCUMENT_TEXT } from '@citewell/contract/limits'
import { escapeText } from './inline-markdown.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block } from './parsing-blocks.ts'

/** Of a sheet, what becomes a table: a longer one is a database. */
export const MAX_ROWS = 2_000
const MAX_COLUMNS = 100
const MAX_CELL_CHARACTERS = 4_000

const LONG_SHEET = `Of a sheet the first ${MAX_ROWS.toLocaleString('en')} rows are read.`
const WIDE_SHEET = `Of a sheet the first ${MAX_COLUMNS} columns are read.`
const LONG_CELL = `Of one cell of a sheet the first ${MAX_CELL_CHARACTERS.toLocaleString('en')} characters are read.`

const TOO_LONG = `A sheet contains more than ${Math.floor(DOCUMENT_TEXT / 1e6)} million characters, the limit for one document. Split it.`

const isFilled = (cell: string) => cell.trim() !== ''
/** How many cells a row has, without the empty ones behind. */
const widthOf = (row: readonly string[]) => row.findLastIndex(isFilled) + 1

function cellOf(text: string, told: Set<string>): string {
  if (text.length > MAX_CELL_CHARACTERS) told.add(LONG_CELL)
  const line = text
    .slice(0, MAX_CELL_CHARACTERS)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
  return escapeText(line)
}

/**
 * The rows of a sheet as a table whose first row is the head. Rows above it of one cell each say what the table is about: its title, a date.
 *
 * @param rows of text, of any length; empty ones are left out
 * @param told what the limits leave out is added to it, a sentence for each limit
 * @throws ParseFailure if they contain more text than a document may have
 */
export function sheetBlocks(rows: readonly (readonly string[])[], told: Set<string>): Block[] {
  const filled = rows.filter((row) => row.some(isFilled))
  if (filled.some((row) => widthOf(row) > MAX_COLUMNS)) told.add(WIDE_SHEET)
  const width = Math.min(
    MAX_COLUMNS,
    filled.reduce((most, row) => Math.max(most, widthOf(row)), 0),
  )
  if (width === 0) return []
  const head = Math.max(
    0,
    filled.findIndex((row) => row.filter(isFilled).length > 1),
  )
  const about = filled
    .slice(0, Math.min(head, MAX_ROWS))
    .map((row): Block => ({ kind: 'paragraph', markdown: cellOf(row.find(isFilled) ?? '', told) }))
  let length = 0
  const [header = [], ...body] = filled.slice(head, head + MAX_ROWS).map((row) => {
    const cells = Array.from({ length: width }, (_none, at) => cellOf(row[at] ?? '', told))
    for (const cell of cells) length += cell.length
    // Cells that share a text take little in the file, and each is whole in the table.
    if (length > DOCUMENT_TEXT) throw new ParseFailure(TOO_LONG)
    return cells
  })
  const table: Block = { kind: 'table', header, rows: body }
  if (filled.length - head <= MAX_ROWS) return [...about, table]
  told.add(LONG_SHEET)
  return [...about, table, { kind: 'paragraph', markdown: `Only the first ${MAX_ROWS} rows are here.` }]
}
