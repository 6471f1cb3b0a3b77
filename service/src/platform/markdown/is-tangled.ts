/**
 * What a text may hold of each sign before it is read as plain text. A person's page is far below: these are some ten times what
 * passages and answers have. Readers of Markdown look back over what is open at each sign, so that their time grows with the
 * square of these numbers, and their calls nest as deep as the text does.
 */
const MOST = {
  /** UTF-16 units of a text. */
  characters: 24_000,
  lines: 1_500,
  /** `*`, `_` and `~`, in runs, of one paragraph or table. */
  emphasis: 300,
  brackets: 500,
  ticks: 300,
  angles: 300,
  /** Brackets within brackets. */
  bracketDepth: 16,
  /** UTF-16 units within brackets, or behind one that is never closed. */
  bracketed: 1_500,
  /** Closing brackets that nothing opened. */
  strayBrackets: 60,
  bars: 1_500,
  /** Quotes and lists within each other, as one line opens them, or its indentation says. */
  depth: 20,
  /** Lines that begin a list item or a quote. */
  items: 500,
  /** Footnotes and definitions: lines that begin with a bracket. */
  definitions: 100,
  /** Columns before the first sign of a line, and before the marker of an item. */
  indentation: 200,
  itemIndentation: 60,
  addresses: 300,
}

/** Signs that begin a list item or a quote, with what is before them. Bounded: no line is read further for it. */
const MARKERS = /(?:[ \t]{0,200}(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))){1,60}/y
const TAB_COLUMNS = 4
const BEGINS_ITEM = /^[ \t]{0,200}(?:>|[-*+]\s|\d{1,9}[.)]\s)/
const BEGINS_DEFINITION = /^ {0,3}\[/
const ADDRESS = /:\/\/|www\.|@/gi

/** Runs of one sign count once. */
const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0

/** Whether brackets stand too deep within each other, too far apart, or alone. */
function hasTangledBrackets(block: string): boolean {
  const opened: number[] = []
  let stray = 0
  for (let at = 0; at < block.length; at += 1) {
    const sign = block.charCodeAt(at)
    if (sign === 92) at += 1
    else if (sign === 91) opened.push(at)
    else if (sign === 93) {
      const start = opened.pop()
      if (start === undefined) stray += 1
      else if (at - start > MOST.bracketed) return true
    }
    if (opened.length > MOST.bracketDepth || stray > MOST.strayBrackets) return true
  }
  return opened.some((start) => block.length - start > MOST.bracketed)
}

function isTangledBlock(block: string): boolean {
  if (countOf(block, /\*+|_+|~+/g) > MOST.emphasis || countOf(block, /`+/g) > MOST.ticks) return true
  if (countOf(block, /</g) > MOST.angles || countOf(block, /\|/g) > MOST.bars) return true
  if (countOf(block, /[[\]]/g) > MOST.brackets || countOf(block, ADDRESS) > MOST.addresses) return true
  return hasTangledBrackets(block)
}

/** Columns of a line before its first sign, as far as they count here. */
function indentationOf(line: string): number {
  let columns = 0
  for (let at = 0; at < line.length && columns <= MOST.indentation; at += 1) {
    const sign = line.charCodeAt(at)
    if (sign === 9) columns += TAB_COLUMNS
    else if (sign === 32) columns += 1
    else break
  }
  return columns
}

function isDeepLine(line: string): boolean {
  const indentation = indentationOf(line)
  if (indentation > (BEGINS_ITEM.test(line) ? MOST.itemIndentation : MOST.indentation)) return true
  MARKERS.lastIndex = 0
  const markers = MARKERS.exec(line)?.[0] ?? ''
  return countOf(markers, /[->*+.)]/g) > MOST.depth
}

/**
 * Whether a text holds so much of Markdown's signs, or so deep, that reading it would take long, or overflow the stack.
 * Itself it takes a time in proportion to the text.
 */
export function isTangled(text: string): boolean {
  if (text.length > MOST.characters) return true
  const lines = text.split(/\r\n|\r|\n/, MOST.lines + 1)
  if (lines.length > MOST.lines || lines.some(isDeepLine)) return true
  if (lines.filter((line) => BEGINS_ITEM.test(line)).length > MOST.items) return true
  if (lines.filter((line) => BEGINS_DEFINITION.test(line)).length > MOST.definitions) return true
  return text.split(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)/).some(isTangledBlock)
}
