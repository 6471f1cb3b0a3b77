/** What may separate fields. */
const SEPARATORS = [',', ';', '\t']
/** Of a file, what is looked at to find its separator: rows, and characters. */
const LOOKED_AT = { rows: 50, characters: 100_000 }

/**
 * What separates the fields of a table: of comma, semicolon and tab the one that divides the most of its first rows alike. A line above the
 * head may have others, and so may decimal commas.
 */
export function separatorOf(text: string): string {
  const begin = text.slice(0, LOOKED_AT.characters)
  const [best = ','] = SEPARATORS.map((separator) => ({ separator, ...dividedAlike(begin, separator) }))
    .toSorted((left, right) => right.rows - left.rows || right.fields - left.fields)
    .map(({ separator }) => separator)
  return best
}

/** How many rows have the most common number of fields, of those that have several; and that number. */
function dividedAlike(text: string, separator: string): { rows: number; fields: number } {
  const counts = new Map<number, number>()
  for (const { fields } of parseCsv(text, { separator, most: LOOKED_AT.rows }))
    if (fields.length > 1) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1)
  const [[fields, rows] = [0, 0]] = [...counts].toSorted(([, left], [, right]) => right - left)
  return { rows, fields }
}

/**
 * The rows of a CSV file, each with the line on which it begins, from 1. Fields may be quoted, and have commas and line breaks then; a
 * quote that is not closed ends with the file. Empty lines are passed over.
 *
 * @param given.most further rows are left out
 */
export function parseCsv(
  text: string,
  { separator = ',', most = Infinity }: { separator?: string; most?: number } = {},
): { line: number; fields: string[] }[] {
  const rows: { line: number; fields: string[] }[] = []
  const plain = new RegExp(`[${separator}"\\r\\n]`, 'g')
  let [fields, field, line, begins]: [string[], string, number, number] = [[], '', 1, 1]
  const endRow = () => {
    fields.push(field)
    if (fields.some((one) => one.trim() !== '')) rows.push({ line: begins, fields })
    fields = []
    field = ''
  }
  // Whole pieces are appended: a text that grows sign by sign takes 32 bytes for each.
  for (let at = 0; at < text.length && rows.length < most;) {
    const sign = text[at]
    if (sign === '"' && field.trim() === '') {
      ;[field, at] = quotedField(text, at + 1)
      line += field.split('\n').length - 1
    } else if (sign === separator) {
      fields.push(field)
      field = ''
      at += 1
    } else if (sign === '\n') {
      endRow()
      line += 1
      begins = line
      at += 1
    } else if (sign === '\r') {
      at += 1
    } else {
      plain.lastIndex = at + 1
      const end = plain.exec(text)?.index ?? text.length
      field += text.slice(at, end)
      at = end
    }
  }
  if (rows.length < most) endRow()
  return rows
}

/** The rest of a quoted field, and where it ends. */
function quotedField(text: string, from: number): [string, number] {
  let field = ''
  for (let at = from; ;) {
    const end = text.indexOf('"', at)
    if (end === -1) return [field + text.slice(at), text.length]
    field += text.slice(at, end)
    if (text[end + 1] !== '"') return [field, end + 1]
    field += '"'
    at = end + 2
  }
}
