/** A field of a table that others open: quoted, and never a formula. */
function fieldOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const harmless = /^\s*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** A table as comma-separated values, in UTF-8 with lines that end in CRLF. */
export const writeCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => row.map(fieldOf).join(',')).join('\r\n') + '\r\n'
