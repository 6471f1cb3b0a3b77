/** Maximum length of a link label. */
const MAX_LABEL_LENGTH = 10_000

/** Maximum nesting of links within labels (e.g. an image). */
const MAX_DEPTH = 3

const ESCAPABLE = /[!-/:-@[-`{-~]/

/** The visible text of one line of Markdown; reads from left to right, once. */
export function plainLine(line: string): string {
  // Most lines contain no markup.
  if (!/[\\`[*~<|#>]/.test(line)) return line.trimEnd()
  const isRow = line.startsWith('|')
  // A table row escapes its pipes even within code.
  const unbarred = isRow ? line.replaceAll(String.raw`\|`, '|') : line
  const text = withoutMarks(unbarred.replace(/^\s*#{1,6}\s+/, '').replace(/^(?:>\s?)+/, ''), 0)
  return (isRow ? withoutBars(text) : text).trimEnd()
}

/** The plain text of a piece of markup, and where it ends. */
interface Read {
  plain: string
  end: number
}

function withoutMarks(text: string, depth: number): string {
  const runs = createRuns(text)
  const links = createLinks(text)
  const readers: Record<string, (at: number) => Read | undefined> = {
    '\\': (at) =>
      ESCAPABLE.test(text[at + 1] ?? '') ? { plain: text[at + 1] ?? '', end: at + 2 } : undefined,
    '`': (at) => runs.codeAt(at),
    '[': linkAt,
    '!': (at) => (text[at + 1] === '[' ? linkAt(at + 1) : undefined),
    '*': starsAt,
    '~': (at) => (text[at + 1] === '~' ? { plain: '', end: at + 2 } : undefined),
    '<': (at) => (text.startsWith('<br>', at) ? { plain: ' ', end: at + 4 } : undefined),
  }

  function linkAt(at: number): Read | undefined {
    const link = links.at(at)
    if (link === undefined) return undefined
    return { plain: depth < MAX_DEPTH ? withoutMarks(link.label, depth + 1) : link.label, end: link.end }
  }

  function starsAt(at: number): Read {
    const end = endOfRun(text, at, '*')
    // Between spaces it is an asterisk.
    const isMark = /\S/.test(text[end] ?? ' ') || /\S/.test(text[at - 1] ?? ' ')
    return { plain: isMark ? '' : text.slice(at, end), end }
  }

  let plain = ''
  for (let at = 0; at < text.length;) {
    const read = readers[text[at] ?? '']?.(at)
    const end = read?.end ?? nextMark(text, at + 1)
    plain += read?.plain ?? text.slice(at, end)
    at = end
  }
  return plain
}

const MARK = /[\\`[!*~<]/g

function nextMark(text: string, from: number): number {
  MARK.lastIndex = from
  return MARK.exec(text)?.index ?? text.length
}

function endOfRun(text: string, at: number, sign: string): number {
  let end = at
  while (text[end] === sign) end += 1
  return end
}

/** Code between runs of backticks of the same length. The last position of each length is computed once. */
function createRuns(text: string) {
  let lastOf: Map<number, number> | undefined
  function lastRuns(): Map<number, number> {
    const found = new Map<number, number>()
    for (const run of text.matchAll(/`+/g)) found.set(run[0].length, run.index)
    return found
  }
  return {
    codeAt(at: number): Read {
      const begin = endOfRun(text, at, '`')
      const length = begin - at
      lastOf ??= lastRuns()
      if ((lastOf.get(length) ?? -1) < begin + 1) return { plain: text.slice(at, begin), end: begin }
      for (let close = text.indexOf('`', begin); close >= 0;) {
        const end = endOfRun(text, close, '`')
        if (end - close === length) {
          const code = text.slice(begin, close).replace(/^ (?=`)/, '')
          return { plain: code.endsWith('` ') ? code.slice(0, -1) : code, end }
        }
        close = text.indexOf('`', end)
      }
      return { plain: text.slice(at, begin), end: begin }
    },
  }
}

/** `[label](address)`: matching brackets are found once, in one pass. */
function createLinks(text: string) {
  let closeOf: Map<number, number> | undefined
  function pairs(): Map<number, number> {
    const found = new Map<number, number>()
    const open: number[] = []
    for (let at = nextBracket(text, 0); at < text.length; at = nextBracket(text, at + 1)) {
      const sign = text[at]
      if (sign === '\\') at += 1
      else if (sign === '`') {
        const close = text.indexOf('`', endOfRun(text, at, '`'))
        if (close < 0) break
        at = endOfRun(text, close, '`') - 1
      } else if (sign === '[') open.push(at)
      else {
        const begin = open.pop()
        if (begin !== undefined) found.set(begin, at)
      }
    }
    return found
  }
  return {
    at(begin: number): { label: string; end: number } | undefined {
      closeOf ??= pairs()
      const close = closeOf.get(begin)
      if (close === undefined || text[close + 1] !== '(' || close - begin > MAX_LABEL_LENGTH) return undefined
      END_OF_ADDRESS.lastIndex = close + 2
      const end = END_OF_ADDRESS.exec(text)?.index ?? 0
      return text[end] === ')' && end > close
        ? { label: text.slice(begin + 1, close), end: end + 1 }
        : undefined
    },
  }
}

/** A link ends at the first of these characters, which has to be the closing bracket. */
const END_OF_ADDRESS = /[()\s]/g

const BRACKET = /[\\`[\]]/g

function nextBracket(text: string, from: number): number {
  BRACKET.lastIndex = from
  return BRACKET.exec(text)?.index ?? text.length
}

function withoutBars(row: string): string {
  const inner = row.startsWith('|') ? row.slice(1) : row
  const trimmed = inner.trim()
  return trimmed.endsWith('|') ? trimmed.slice(0, -1).trimEnd() : trimmed
}
