/**
 * Limits per kind of Markdown sign above which a text is treated as plain text. Pages written by people are far below: the limits are
 * some ten times what passages and answers contain. Markdown parsers look back over all open constructs at each sign, so that their time
 * grows with the square of these numbers, and they recurse as deep as the text nests.
 */
const LIMITS = {
  /** UTF-16 units of a text. */
  characters: 24_000,
  lines: 1_500,
  /** Runs of `*`, `_` and `~` in one paragraph or table. */
  emphasis: 300,
  brackets: 500,
  ticks: 300,
  angles: 300,
  /** Nesting depth of brackets. */
  bracketDepth: 16,
  /** UTF-16 units within brackets, or after one that is never closed. */
  bracketed: 1_500,
  /** Closing brackets without an opening one. */
  strayBrackets: 60,
  bars: 1_500,
  /** Nesting depth of quotes and lists, as opened by one line or implied by its indentation. */
  depth: 20,
  /** Lines that begin a list item or a quote. */
  items: 500,
  /** Footnotes and definitions: lines that begin with a bracket. */
  definitions: 100,
  /** Columns before the first character of a line, and before the marker of an item. */
  indentation: 200,
  itemIndentation: 60,
  addresses: 300,
  /** UTF-16 units of a run of signs and character references that may end a bare address: at each, the parser reads on to the end of the run. */
  addressEnd: 500,
}

/** Signs that begin a list item or a quote, with the white space before them. The length is limited, so matching is too. */
const MARKERS = /(?:[ \t]{0,200}(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))){1,60}/y
const TAB_COLUMNS = 4
const BEGINS_ITEM = /^[ \t]{0,200}(?:>|[-*+]\s|\d{1,9}[.)]\s)/
const BEGINS_DEFINITION = /^ {0,3}\[/
const ADDRESS = /:\/\/|www\.|@/gi
const ENDS_ADDRESS = /(?:[!"'),.:;<>?\]_~*]|&[a-z]{1,40};)+/gi

/** A run of one sign counts once. */
const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0

/** Whether brackets are nested too deep, span too much text, or are unbalanced too often. */
function hasComplexBrackets(block: string): boolean {
  const opened: number[] = []
  let stray = 0
  for (let at = 0; at < block.length; at += 1) {
    const sign = block.charCodeAt(at)
    if (sign === 92) at += 1
    else if (sign === 91) opened.push(at)
    else if (sign === 93) {
      const start = opened.pop()
      if (start === undefined) stray += 1
      else if (at - start > LIMITS.bracketed) return true
    }
    if (opened.length > LIMITS.bracketDepth || stray > LIMITS.strayBrackets) return true
  }
  return opened.some((start) => block.length - start > LIMITS.bracketed)
}

function isTooComplexBlock(block: string): boolean {
  if (countOf(block, /\*+|_+|~+/g) > LIMITS.emphasis || countOf(block, /`+/g) > LIMITS.ticks) return true
  if (countOf(block, /</g) > LIMITS.angles || countOf(block, /\|/g) > LIMITS.bars) return true
  if (countOf(block, /[[\]]/g) > LIMITS.brackets || countOf(block, ADDRESS) > LIMITS.addresses) return true
  if (block.match(ENDS_ADDRESS)?.some((end) => end.length > LIMITS.addressEnd) === true) return true
  return hasComplexBrackets(block)
}

/** Columns of a line before its first character, up to the limit. */
function indentationOf(line: string): number {
  let columns = 0
  for (let at = 0; at < line.length && columns <= LIMITS.indentation; at += 1) {
    const sign = line.charCodeAt(at)
    if (sign === 9) columns += TAB_COLUMNS
    else if (sign === 32) columns += 1
    else break
  }
  return columns
}

function isDeepLine(line: string): boolean {
  const indentation = indentationOf(line)
  if (indentation > (BEGINS_ITEM.test(line) ? LIMITS.itemIndentation : LIMITS.indentation)) return true
  MARKERS.lastIndex = 0
  const markers = MARKERS.exec(line)?.[0] ?? ''
  return countOf(markers, /[->*+.)]/g) > LIMITS.depth
}

/**
 * Whether a text has so many Markdown signs, or nests them so deep, that parsing it would take long or overflow the stack. The check
 * itself takes linear time.
 */
export function isTooComplex(text: string): boolean {
  if (text.length > LIMITS.characters) return true
  const lines = text.split(/\r\n|\r|\n/, LIMITS.lines + 1)
  if (lines.length > LIMITS.lines || lines.some(isDeepLine)) return true
  if (lines.filter((line) => BEGINS_ITEM.test(line)).length > LIMITS.items) return true
  if (lines.filter((line) => BEGINS_DEFINITION.test(line)).length > LIMITS.definitions) return true
  return text.split(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)/).some(isTooComplexBlock)
}
