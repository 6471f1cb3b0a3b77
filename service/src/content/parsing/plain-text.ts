import { plainLine } from './plain-line.ts'

/**
 * What a reader sees of Markdown that this room wrote: links without their addresses, code without its marks. This is the
 * text to be embedded, counted and compared. Takes time in proportion to the text, whatever is in it.
 *
 * @example
 * plainText('See [`open()`](https://docs.example.com/open).') // 'See open().'
 */
export function plainText(markdown: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    const mark = fenceOf(line)
    if (mark !== undefined && (fence === undefined || mark === fence)) {
      fence = fence === undefined ? mark : undefined
    } else if (fence !== undefined) {
      lines.push(line)
    } else if (!/^[\s|:-]+$/.test(line) || line.trim() === '') {
      lines.push(plainLine(line))
    }
  }
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** The backticks that begin or end fenced code, within a list's item or a quotation too. */
function fenceOf(line: string): string | undefined {
  const start = line.indexOf('```')
  // What may stand before them is short.
  if (start < 0 || start > MOST_BEFORE_FENCE) return undefined
  if (!/^[\s>]*(?:(?:[-*+]|\d+\.)\s+)?$/.test(line.slice(0, start))) return undefined
  const mark = /^`+/.exec(line.slice(start))?.[0] ?? ''
  return line.includes('`', start + mark.length) ? undefined : mark
}

const MOST_BEFORE_FENCE = 200
