import { splitText } from '../../kernel/cut-text.ts'
import type { Block } from '../parsing/parsing.ts'
import {
  listMarker,
  plainText,
  renderBlock,
  renderItem,
  renderRow,
  renderTableHead,
  renderTerm,
} from '../parsing/parsing.ts'
import { LONGEST_PASSAGE } from '../reading/reading.ts'
import { sentencesOf, wordsOf } from './sentences.ts'

/**
 * A block as something that can be cut: `open + parts.join(separator) + close` is the block. Where it is cut, `open` and
 * `close` are repeated, so that every piece is a table with its header, or code between its fences.
 */
export interface Strand {
  open: string
  parts: Part[]
  separator: string
  close: string
  /** Rather begins on a new page than is cut. */
  isKeptWhole: boolean
  /** Says what comes next ("For example:", a tab's label): never the last of a chunk. */
  leadsOn: boolean
  /** A place that a citation opens at, from here on. */
  anchor: string | undefined
}

export interface Part {
  text: string
  tokens: number
  /** Characters that a reader sees. */
  length: number
}

export interface Measure {
  /** Tokens of text as it is embedded: without marks and addresses. */
  countTokens: (text: string) => number
  /** Most tokens that a chunk may have. */
  limit: number
  language: string | undefined
}

const PLAIN = { open: '', close: '', separator: '\n', isKeptWhole: false, leadsOn: false, anchor: undefined }

/** Blocks as strands, each with parts that fit the limit, but for single rows and lines that are longer by themselves: those have at most 4,000 units. */
export function strandsOf(blocks: readonly Block[], measure: Measure): Strand[] {
  const strands: Strand[] = []
  let anchor: string | undefined
  for (const block of blocks) {
    if (block.kind === 'anchor') {
      anchor = block.anchor
      continue
    }
    const made = strandsOfBlock(block, measure)
    const [first] = made
    if (first !== undefined && anchor !== undefined) {
      first.anchor = anchor
      anchor = undefined
    }
    strands.push(...made)
  }
  return strands
}

function strandsOfBlock(block: Block, measure: Measure): Strand[] {
  switch (block.kind) {
    case 'paragraph':
      return [paragraph(block.markdown, measure)]
    case 'heading':
      return [{ ...paragraph(`**${block.text}**`, measure), leadsOn: true }]
    case 'list':
      return listStrands(block.items, block.isOrdered, measure)
    case 'table':
      return [table(renderTableHead(block).join('\n'), block.rows.map(renderRow), measure)]
    case 'code':
      return [code(renderBlock(block), measure)]
    case 'entry':
      return [
        { ...paragraph(renderTerm(block.term), measure), leadsOn: block.blocks.length > 0 },
        ...strandsOf(block.blocks, measure),
      ]
    case 'anchor':
      return []
  }
}

/**
 * Tokens that a text takes of a chunk's room: those of what is seen, or so many that a chunk of them is no longer than a passage
 * may be. Addresses are not seen, and empty lines have no tokens.
 */
const roomFor = (text: string, seen: string, { countTokens, limit }: Measure) =>
  Math.max(countTokens(seen), ((text.length + BETWEEN) * limit) / LONGEST_PASSAGE)

/** Signs that may be put between a text and the next. */
const BETWEEN = 2

export function part(text: string, measure: Measure): Part {
  const seen = plainText(text)
  return { text, tokens: roomFor(text, seen, measure), length: seen.length }
}

/** Code is seen as it is. */
function codePart(text: string, measure: Measure): Part {
  return { text, tokens: roomFor(text, text, measure), length: text.length }
}

/** Longest row or line that is kept whole, and longest header or fence that is repeated with each piece. In UTF-16 units. */
const LONGEST_LINE = 4_000
const LONGEST_FRAME = 2_000

/** A row, or a line of code: cut only where it is no row and no line that anybody wrote. */
const linesOf = (line: string): string[] =>
  line.length <= LONGEST_LINE ? [line] : splitText(line, LONGEST_LINE)

/** Rows under their header. One that is too long to be repeated stands above them once. */
function table(head: string, rows: readonly string[], measure: Measure): Strand {
  const parts = rows.flatMap(linesOf).map((row) => part(row, measure))
  if (head.length <= LONGEST_FRAME) return { ...PLAIN, open: `${head}\n`, parts }
  return { ...PLAIN, parts: [...linesOf(head).map((line) => part(line, measure)), ...parts] }
}

function paragraph(markdown: string, measure: Measure): Strand {
  const whole = part(markdown, measure)
  const leadsOn = markdown.length < 300 && /(?::|：|^\*\*[^*]+\*\*(?: \| .*)?)$/.test(markdown)
  if (whole.tokens <= measure.limit) return { ...PLAIN, parts: [whole], leadsOn }
  const parts = sentencesOf(markdown, measure.language).flatMap((sentence) => fitSentence(sentence, measure))
  return { ...PLAIN, separator: ' ', parts, leadsOn: false }
}

/** A sentence that is too long alone is cut between words, a word that is too long wherever it has to be. */
function fitSentence(sentence: string, measure: Measure): Part[] {
  const whole = part(sentence, measure)
  if (whole.tokens <= measure.limit) return [whole]
  return wordsOf(sentence).flatMap((word) => fitWord(word, measure))
}

function fitWord(word: string, measure: Measure): Part[] {
  // No word is this long: do not measure what has to be cut in any case.
  if (word.length > LONGEST_WORD)
    return splitText(word, LONGEST_WORD / 2).flatMap((slice) => fitWord(slice, measure))
  const whole = part(word, measure)
  if (whole.tokens <= measure.limit || word.length < 2) return [whole]
  return splitText(word, Math.ceil(word.length / 2)).flatMap((half) => fitWord(half, measure))
}

const LONGEST_WORD = 2_000

/** `rendered` is fenced: its first and last line are what is repeated. */
function code(rendered: string, measure: Measure): Strand {
  const lines = rendered.split('\n')
  const [fence = '', mark = '', end = ''] = [lines[0], /^`*/.exec(lines[0] ?? '')?.[0], lines.at(-1)]
  const parts = lines
    .slice(1, -1)
    .flatMap(linesOf)
    .map((line) => codePart(line, measure))
  if (mark.length > LONGEST_FRAME / 2) return { ...PLAIN, parts }
  const open = fence.length <= LONGEST_FRAME / 2 ? fence : mark
  return { ...PLAIN, open: `${open}\n`, close: `\n${end}`, parts, isKeptWhole: true }
}

function listStrands(items: readonly string[], isOrdered: boolean, measure: Measure): Strand[] {
  const strands: Strand[] = []
  let short: Part[] = []
  const endShort = () => {
    if (short.length > 0) strands.push({ ...PLAIN, parts: short })
    short = []
  }
  for (const [place, item] of items.entries()) {
    const marker = listMarker(isOrdered, place)
    const whole = part(renderItem(item, marker), measure)
    if (whole.tokens <= measure.limit) {
      short.push(whole)
    } else {
      endShort()
      strands.push(...longItem(`${marker}${item}`, measure))
    }
  }
  endShort()
  return strands
}

/** Columns that a fenced line can lose at its beginning. */
const DEEPEST_INDENT = 100

/**
 * An item too long for a chunk: its paragraphs, nested lines and code one by one. They lose the indentation that tied
 * them to the item: by itself, a line that stood deep enough would be read as code.
 */
function longItem(item: string, measure: Measure): Strand[] {
  const strands: Strand[] = []
  let fence: { mark: string; indent: RegExp; lines: string[] } | undefined
  for (const indented of item.split('\n')) {
    const line = fence === undefined ? indented.trimStart() : indented.replace(fence.indent, '')
    const mark = /^(?:(?:[-*+]|\d+\.)\s+)?(`{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      fence.lines.push(line)
      if (line.trim() === fence.mark) {
        strands.push(code(fence.lines.join('\n'), measure))
        fence = undefined
      }
    } else if (mark !== undefined) {
      const depth = Math.min(indented.length - line.length, DEEPEST_INDENT)
      fence = { mark, indent: new RegExp(`^ {0,${depth}}`), lines: [line] }
    } else if (line !== '') {
      const strand = line.startsWith('|')
        ? { ...PLAIN, parts: linesOf(line).map((piece) => part(piece, measure)) }
        : paragraph(line, measure)
      strands.push(strand)
    }
  }
  if (fence !== undefined)
    strands.push({
      ...PLAIN,
      parts: fence.lines.flatMap(linesOf).map((line) => codePart(line, measure)),
    })
  return strands
}
