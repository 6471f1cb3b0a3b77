import { plainLine } from './plain-line.ts'

const MAY_BE_MARKUP = /[\n\\`[*~<|#>]/

/**
 * The visible text of Markdown that the parsers wrote: links without their addresses, code without its fences. This is the
 * text that is embedded, counted and compared. Takes linear time for any input.
 *
 * @example
 * plainText('See [`open()`](https://docs.example.com/open).') // 'See open().'
 */
export function plainText(markdown: string): string {
  // Most words and sentences.
  if (!MAY_BE_MARKUP.test(markdown)) return /^[\s:-]+$/.test(markdown) ? '' : markdown.trim()
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

/** The backticks that begin or end fenced code, also within a list item or a quotation. */
function fenceOf(line: string): string | undefined {
  const start = line.indexOf('```')
  // Only a short prefix may precede them.
  if (start < 0 || start > MAX_FENCE_PREFIX) return undefined
  if (!/^[\s>]*(?:(?:[-*+]|\d+\.)\s+)?$/.test(line.slice(0, start))) return undefined
  const mark = /^`+/.exec(line.slice(start))?.[0] ?? ''
  return line.includes('`', start + mark.length) ? undefined : mark
}

const MAX_FENCE_PREFIX = 200
