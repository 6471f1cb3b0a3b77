import type { Terminal } from './terminal.ts'

/** The narrowest terminal that lines are broken for. */
const LEAST_COLUMNS = 40
/** Lines longer than this are hard to read, however wide the terminal is. */
const MOST_COLUMNS = 100

const isFence = (text: string) => ['```', '~~~'].some((fence) => text.trimStart().startsWith(fence))
/** The mark of a list item, with what stands before it. */
const ITEM = /^\s*(?:[-*]|\d{1,3}[.)])\s+/
const isRow = (text: string) => text.trimStart().startsWith('|')
/** Code, words in bold, and citation numbers. */
const MARKED = /`([^`]+)`|\*\*([^*]+)\*\*|(\[\d+\])/g

type Style = Terminal['style']

/** Words as they are shown, and how wide each is without its style. */
interface Word {
  shown: string
  width: number
}

function wordsOf(text: string, style: Style): Word[] {
  const words: Word[] = []
  // A sign behind a styled word belongs to it: `code`.
  let isOpen = false
  const add = (part: string, styled: (word: string) => string) => {
    for (const [index, word] of part.split(' ').entries()) {
      if (index > 0) isOpen = false
      if (word === '') continue
      const last = words.at(-1)
      if (isOpen && last !== undefined)
        Object.assign(last, { shown: last.shown + styled(word), width: last.width + word.length })
      else words.push({ shown: styled(word), width: word.length })
      isOpen = true
    }
  }
  let from = 0
  for (const { index, 0: whole, 1: code, 2: bold, 3: number } of text.matchAll(MARKED)) {
    add(text.slice(from, index), (word) => word)
    if (bold !== undefined) add(bold, style.bold)
    else add(code ?? number ?? '', style.accent)
    from = index + whole.length
  }
  add(text.slice(from), (word) => word)
  return words
}

/** A paragraph in lines of a width, the later ones of a list item below its first word. */
function brokenLines(text: string, width: number, style: Style): string[] {
  const [mark = ''] = ITEM.exec(text) ?? []
  const indent = ' '.repeat(mark.length)
  const lines: string[] = []
  let [line, used] = [mark, mark.length]
  let isEmpty = true
  for (const word of wordsOf(text.slice(mark.length), style)) {
    if (!isEmpty && used + 1 + word.width > width) {
      lines.push(line)
      ;[line, used, isEmpty] = [indent, indent.length, true]
    }
    line += isEmpty ? word.shown : ` ${word.shown}`
    used += word.width + (isEmpty ? 0 : 1)
    isEmpty = false
  }
  return [...lines, line]
}

/**
 * Quotes as a person reads them on a terminal, while they arrive: behind a bar instead of a sign, in lines that end between words, without
 * the signs of Markdown. Code has no bar, so that it can be copied. Other text passes as it comes.
 */
export function createQuotePrinter({ columns, style }: { columns: number; style: Style }) {
  const width = Math.min(MOST_COLUMNS, Math.max(LEAST_COLUMNS, columns)) - 2
  const bar = style.dim('│')
  let held = ''
  let isWithinLine = false
  let isCode = false

  function quoted(line: string): string {
    const text = line.slice(line.startsWith('> ') ? 2 : 1)
    if (isFence(text)) {
      isCode = !isCode
      return ''
    }
    if (isCode) return `    ${style.accent(text)}\n`
    if (text.trim() === '') return `${bar}\n`
    const lines = isRow(text) ? [text] : brokenLines(text, width, style)
    return lines.map((each) => `${bar} ${each}\n`).join('')
  }

  /** What can be shown of the text so far: all of it, but the line of a quote that has not ended. */
  function take(text: string): string {
    let shown = ''
    held += text
    while (held !== '') {
      const end = held.indexOf('\n')
      const isQuote = !isWithinLine && held.startsWith('>')
      if (isQuote && end < 0) break
      const line = end < 0 ? held : held.slice(0, end)
      shown += isQuote ? quoted(line) : end < 0 ? line : `${line}\n`
      isWithinLine = end < 0
      if (!isQuote && end >= 0) isCode = false
      held = end < 0 ? '' : held.slice(end + 1)
    }
    return shown
  }

  return { take, end: () => (held === '' ? '' : take('\n').slice(0, -1)) }
}
