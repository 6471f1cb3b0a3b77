/** Of a sheet, what becomes a table: a longer one is a database. */
const MAX_ROWS = 2_000
const MAX_COLUMNS = 100
const MAX_CELL_CHARACTERS = 4_000

const LONG_SHEET = `Of a sheet the first ${MAX_ROWS.toLocaleString('en')} rows are read.`
const WIDE_SHEET = `Of a sheet the first ${MAX_COLUMNS} columns are read.`
const LONG_CELL = `Of one cell of a sheet the first ${MAX_CELL_CHARACTERS.toLocaleString('en')} characters are read.`

/** The cells of CSV (RFC 4180), up to the limits. @param told what they leave out is added to it */
function readCsv(text: string, told: Set<string>): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    if (row.length < MAX_COLUMNS) {
      if (cell.length > MAX_CELL_CHARACTERS) told.add(LONG_CELL)
      row.push(cell.slice(0, MAX_CELL_CHARACTERS))
    } else if (cell.trim() !== '') told.add(WIDE_SHEET)
    cell = ''
  }
  for (let at = 0; at < text.length && rows.length <= MAX_ROWS; at += 1) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === ',') endCell()
    else if (character === '\n') {
      endCell()
      rows.push(row)
      row = []
    } else if (character !== '\r') cell += character
  }
  if (cell !== '' || row.length > 0) {
    endCell()
    rows.push(row)
  }
  return rows
}

/** Text as it is in a cell of a Markdown table. */
const cellOf = (text: string) =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|]/g, String.raw`\$&`)

/** A Markdown table of the rows that have anything in them; the first one is the head. Says so if it is not all. */
export function csvTable(csv: string): { markdown: string; leftOut: string[] } {
  const told = new Set<string>()
  const rows = readCsv(csv.replace(/^\uFEFF/, ''), told)
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const width = Math.max(0, ...filled.map((row) => row.findLastIndex((cell) => cell.trim() !== '') + 1))
  if (width === 0) return { markdown: '', leftOut: [...told] }
  const lines = filled
    .slice(0, MAX_ROWS)
    .map((row) => `| ${Array.from({ length: width }, (_none, at) => cellOf(row[at] ?? '')).join(' | ')} |`)
  const table = lines.toSpliced(1, 0, `|${' --- |'.repeat(width)}`).join('\n')
  if (rows.length <= MAX_ROWS) return { markdown: table, leftOut: [...told] }
  told.add(LONG_SHEET)
  return { markdown: `${table}\n\nOnly the first ${MAX_ROWS} rows are here.`, leftOut: [...told] }
}
