import { oneLine } from './printable.ts'

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}\uFF01-\uFF60]/u
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u

/** How many columns of a terminal a character takes, roughly. */
const widthOf = (character: string) => (NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1)

function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += widthOf(character)
  return columns
}

function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let cut = ''
  let taken = 1
  for (const character of text) {
    taken += widthOf(character)
    if (taken > columns) break
    cut += character
  }
  return `${cut}…`
}

const padded = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - columnsOf(text)))

/** A name is not cut to less. */
const LEAST_NAME = 12

/**
 * Rows under their heads, the first column being a name and the last an id. On a terminal that is too narrow the name is cut, and where
 * that is not enough the id goes on a line of its own.
 *
 * @param columns of the terminal; undefined: as wide as it gets
 */
export function tableLines(
  heads: readonly string[],
  given: readonly (readonly string[])[],
  columns: number | undefined,
): string[] {
  const rows = [heads, ...given].map((row) => row.map(oneLine))
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => columnsOf(row[column] ?? ''))))
  const total = (shown: readonly number[]) => shown.reduce((sum, width) => sum + width + 2, -2)
  const [name = 0, ...others] = widths
  const room = columns === undefined ? name : columns - total(others) - 2
  const hasOwnLine = room < Math.min(name, LEAST_NAME)
  const roomWithoutId = columns === undefined ? name : columns - total(others.slice(0, -1)) - 2
  const shownName = Math.min(name, Math.max(LEAST_NAME, hasOwnLine ? roomWithoutId : room))
  return rows.flatMap((row, place) => {
    const cells = row.map((cell, column) =>
      column === 0 ? padded(cutTo(cell, shownName), shownName) : padded(cell, widths[column] ?? 0),
    )
    if (!hasOwnLine) return [cells.join('  ').trimEnd()]
    const line = cells.slice(0, -1).join('  ').trimEnd()
    return place === 0 ? [line] : [line, `  ${row.at(-1) ?? ''}`]
  })
}
