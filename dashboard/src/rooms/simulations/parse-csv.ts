/** Most characters that are read: beyond what a run may have. */
const MOST_CHARACTERS = 8_000_000

/** The separator of a table: the one of these that its first line has most. */
function separatorOf(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1)
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best))
}

/** The rows of comma-separated values (RFC 4180; also with semicolons or tabs). Rows without any text are left out. */
export function parseCsv(given: string): string[][] {
  const text = given.replace(/^\uFEFF/, '').slice(0, MOST_CHARACTERS)
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  const endField = () => {
    row.push(field)
    field = ''
  }
  const endRow = () => {
    endField()
    if (row.some((value) => value.trim() !== '')) rows.push(row)
    row = []
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text.charAt(at + 1) === '"') {
        field += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (character === separator) endField()
    else if (character === '\n') endRow()
    else if (character !== '\r') field += character
  }
  endRow()
  return rows
}

/** A field of a table that others open: quoted, and never a formula. */
function fieldOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** A table as comma-separated values, in UTF-8 with lines that end in CRLF. */
export const writeCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => row.map(fieldOf).join(',')).join('\r\n') + '\r\n'
