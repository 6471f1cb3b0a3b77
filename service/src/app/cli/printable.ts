/**
 * What would move the cursor, recolour, rename the window, or turn the order of letters around: control characters of both blocks
 * but tab and line end, and the marks that override the direction of text.
 */
const CONTROL =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g

/** The styles that commands write themselves. */
// oxlint-disable-next-line no-control-regex
const OWN_STYLE = /(\u001B\[(?:0|1|2|31|36)m)/

const escaped = (character: string) =>
  character === '\r' ? '\\r' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Text for a terminal, in which what strangers named cannot act on the terminal: such characters are shown as escapes. Line ends
 * stay, and so do the styles of commands where `hasStyle`.
 */
export function printable(text: string, hasStyle = false): string {
  if (!hasStyle) return text.replaceAll(CONTROL, escaped)
  return text
    .split(OWN_STYLE)
    .map((part, place) => (place % 2 === 1 ? part : part.replaceAll(CONTROL, escaped)))
    .join('')
}

/**
 * A name for the middle of a line: it cannot begin another line, which could pass for one of ours.
 *
 * @example
 * oneLine('docs\n✓ all well') // 'docs\\n✓ all well'
 */
export function oneLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}
