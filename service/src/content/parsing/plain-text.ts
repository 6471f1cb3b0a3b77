/**
 * What a reader sees of Markdown that this room wrote: links without their addresses, code without its marks. This is the
 * text to be embedded, counted and compared.
 *
 * @example
 * plainText('See [`open()`](https://docs.example.com/open).') // 'See open().'
 */
export function plainText(markdown: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    const mark = /^[\s>]*(?:(?:[-*+]|\d+\.)\s+)?(`{3,})[^`]*$/.exec(line)?.[1]
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

const MARKS =
  /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)|!?\[((?:\\.|`[^`]*`|\[(?:\\.|[^[\]\\])*\]\([^()]*\)|[^[\]\\`])*)\]\([^()\s]*\)|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~|<br>/g

function plainLine(line: string): string {
  // Most lines hold no mark at all.
  if (!/[\\`[*~<|#>]/.test(line)) return line.trimEnd()
  const isRow = line.startsWith('|')
  // A row escapes its bars even within code.
  const text = (isRow ? line.replaceAll(String.raw`\|`, '|') : line)
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/^(?:>\s?)+/, '')
    .replaceAll(MARKS, (...found) => {
      const [whole, escaped, , code, label] = found as string[]
      if (escaped !== undefined) return escaped
      if (code !== undefined) return code.replace(/^ (?=`)|(?<=`) $/g, '')
      if (label !== undefined) return plainLine(label)
      return whole === '<br>' ? ' ' : ''
    })
  return (isRow ? text.replaceAll(/^\|\s*|\s*\|\s*$/g, '') : text).trimEnd()
}
