import { visibleLine } from '@citewell/contract/visible-line'

/** Only the first EXAMINED_FACTOR × `most` UTF-16 units of a text are examined. */
const EXAMINED_FACTOR = 4

/**
 * An untrusted name (a title, a heading, a label) as one line of at most `most` UTF-16 units, with all its characters visible.
 *
 * @example
 * oneLine('Keys\r\n\u202Eand tokens ', 200) // 'Keys and tokens'
 */
export function oneLine(text: string, most: number): string {
  const line = visibleLine(text.slice(0, most * EXAMINED_FACTOR))
  if (line.length <= most) return line
  return `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
