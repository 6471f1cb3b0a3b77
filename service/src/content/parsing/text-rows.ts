import { parseCsv } from '../../kernel/csv.ts'
import { escapeText } from './inline-markdown.ts'
import type { Block } from './parsing-blocks.ts'

/** Longer cells are no columns but sentences. */
const MAX_CELL_LENGTH = 200

const isSame = (rows: readonly (readonly string[])[]) => {
  const [first = []] = rows
  return first.length > 1 && rows.every(({ length }) => length === first.length)
}

/** Commas and semicolons of sentences have a space behind them, and their lines end with a sign or a comma. */
const isOfSentences = (part: string, separator: string, [first = []]: readonly (readonly string[])[]) =>
  (separator === ',' || separator === ';') &&
  part.includes(`${separator} `) &&
  (first.length < 3 || part.split('\n').some((line) => /[.!?,;:]\s*$/.test(line.slice(-40))))

/** The fields of lines that all have the same number of them, by the first sign that divides all of them so. */
function fieldsOf(part: string): string[][] | undefined {
  for (const separator of ['\t', ';', '|', ',']) {
    if (!part.includes(separator)) continue
    const rows = parseCsv(part, { separator }).map(({ fields }) => fields.map((field) => field.trim()))
    if (rows.length > 1 && isSame(rows) && !isOfSentences(part, separator, rows)) return rows
  }
  const columns = part.split('\n').map((line) => line.trim().split(/ {2,}|\t+/))
  return columns.length > 1 && isSame(columns) ? columns : undefined
}

/** Whether the first row names the columns: it has no figure, and all of its fields say something else. */
function isHead([first = [], ...rows]: readonly (readonly string[])[]): boolean {
  if (first.some((field) => field === '' || /^[\p{Sc}+-]?\d/u.test(field))) return false
  return (
    new Set(first).size === first.length && (rows.length > 1 || rows.flat().some((field) => /\d/.test(field)))
  )
}

/** `| - | - |` and `=====  ====`: lines that only draw a table. */
const isRule = (row: readonly string[]) => row.every((field) => /^[-=:+\s]*$/.test(field))

/** Lines that share a separator, or columns, as a table; undefined if they do not, or if no line names the columns. */
export function rowsOfText(part: string): Block | undefined {
  const fields = fieldsOf(part)?.filter((row) => !isRule(row))
  if (fields === undefined || !isHead(fields)) return undefined
  if (fields.flat().some(({ length }) => length > MAX_CELL_LENGTH)) return undefined
  const [header = [], ...rows] = fields.map((row) =>
    row.map((field) => escapeText(field.replaceAll('\n', ' '))),
  )
  return { kind: 'table', header, rows }
}
