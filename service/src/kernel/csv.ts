/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[\s]*[=+\-@\t\r＝＋－＠]/

/**
 * A field of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it: exported texts come from
 * unknown people. Numbers stay numbers.
 *
 * @example
 * csvField('=HYPERLINK("https://evil.example")') // `"'=HYPERLINK(""https://evil.example"")"`
 */
export function csvField(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  // bounded: the pattern is anchored, and looks at leading white space only.
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (fields: readonly (string | number | boolean | null | undefined)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`

/** What separates the fields of a table: of comma, semicolon and tab the one that its first line has most. */
export function separatorOf(text: string): string {
  const [line = ''] = text.slice(0, 100_000).split(/[\r\n]/, 1)
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best))
}

/**
 * The rows of a CSV file, each with the line on which it begins, from 1. Fields may be quoted, and have commas and line breaks then; a
 * quote that is not closed ends with the file. Empty lines are passed over.
 */
export function parseCsv(text: string, separator = ','): { line: number; fields: string[] }[] {
  const rows: { line: number; fields: string[] }[] = []
  let [fields, field, isQuoted, line, begins]: [string[], string, boolean, number, number] = [
    [],
    '',
    false,
    1,
    1,
  ]
  const endRow = () => {
    fields.push(field)
    if (fields.some((one) => one.trim() !== '')) rows.push({ line: begins, fields })
    fields = []
    field = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') field += sign
      else if (text[at + 1] === '"') {
        field += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (sign === separator) {
      fields.push(field)
      field = ''
    } else if (sign === '\n') {
      endRow()
      begins = line
    } else if (sign !== '\r') field += sign
  }
  endRow()
  return rows
}
