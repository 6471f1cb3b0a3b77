/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[\s]*[=+\-@\t\r＝＋－＠]/

/**
 * The same within a text, where a spreadsheet that separates by semicolons begins a cell: it does not know the quotes of a field that it
 * splits. The items of a list are left alone.
 */
const FORMULA_WITHIN = /(?<=[;\t\r\n])(?=[=+@＝＋＠]|[-－][^\s-])/g

/** Tells Excel that a file is UTF-8: it shows other letters than those of English wrong without it. At the beginning of a file. */
export const BYTE_ORDER_MARK = '\uFEFF'

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
  const safe = (FORMULA.test(value) ? `'${value}` : value).replace(FORMULA_WITHIN, "'")
  return /[",;\t\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (fields: readonly (string | number | boolean | null | undefined)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`
