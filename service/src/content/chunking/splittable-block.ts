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
import { MAX_PASSAGE_LENGTH } from '../reading/reading.ts'
import { markdownSentences, wordsOf } from './sentences.ts'

/**
 * A block that can be split: `open + parts.join(separator) + close` is the block. When it is split, `open` and `close` are repeated, so
 * that every piece is a table with its header, or code between its fences.
 */
export interface SplittableBlock {
  open: string
  parts: Part[]
  /** Between two parts; empty if they bring their own, as sentences do, of which some languages put no space between two. */
  separator: string
  close: string
  /** Starts a new chunk rather than being split. */
  avoidSplit: boolean
  /** Introduces what comes next ("For example:", a tab's label), so it is never the last in a chunk. */
  keepWithNext: boolean
  /** Citations of the text from here on open at this anchor. */
  anchor: string | undefined
}

export interface Part {
  text: string
  tokens: number
  /** Number of visible characters. */
  length: number
}

export interface Measure {
  /** Tokens of text as it is embedded: without markup and addresses. */
  countTokens: (text: string) => number
  /** Maximum tokens of a chunk. */
  limit: number
}

const PLAIN = {
  open: '',
  close: '',
  separator: '\n',
  avoidSplit: false,
  keepWithNext: false,
  anchor: undefined,
}

/**
 * Converts blocks to splittable blocks whose parts fit the limit, except for single rows and lines that are longer on their own: those have
 * at most 4,000 UTF-16 units.
 */
export function toSplittableBlocks(blocks: readonly Block[], measure: Measure): SplittableBlock[] {
  const splittables: SplittableBlock[] = []
  let anchor: string | undefined
  for (const block of blocks) {
    if (block.kind === 'anchor') {
      anchor = block.anchor
      continue
    }
    const made = splittableBlocksOf(block, measure)
    const [first] = made
    if (first !== undefined && anchor !== undefined) {
      first.anchor = anchor
      anchor = undefined
    }
    splittables.push(...made)
  }
  return splittables
}

function splittableBlocksOf(block: Block, measure: Measure): SplittableBlock[] {
  switch (block.kind) {
    case 'paragraph':
      return [paragraph(block.markdown, measure)]
    case 'heading':
      return [{ ...paragraph(`**${block.text}**`, measure), keepWithNext: true }]
    case 'list':
      return listBlocks(block, measure)
    case 'table':
      return [table(renderTableHead(block).join('\n'), block.rows.map(renderRow), measure)]
    case 'code':
      return [code(renderBlock(block), measure)]
    case 'entry':
      return [
        { ...paragraph(renderTerm(block.term), measure), keepWithNext: block.blocks.length > 0 },
        ...toSplittableBlocks(block.blocks, measure),
      ]
    case 'anchor':
      return []
  }
}

/**
 * Tokens to charge for a text: those of its visible text, or enough that a chunk of such texts does not exceed the maximum passage length.
 * Addresses are not visible, and empty lines have no tokens.
 */
const tokenCost = (text: string, seen: string, { countTokens, limit }: Measure) =>
  Math.max(countTokens(seen), ((text.length + BETWEEN) * limit) / MAX_PASSAGE_LENGTH)

/** Characters that may be put between one text and the next. */
const BETWEEN = 2

export function part(text: string, measure: Measure): Part {
  const seen = plainText(text)
  return { text, tokens: tokenCost(text, seen, measure), length: seen.length }
}

/** All characters of code are visible. */
function codePart(text: string, measure: Measure): Part {
  return { text, tokens: tokenCost(text, text, measure), length: text.length }
}

/** Maximum length of a row or line that is kept whole, and of a header or fence that is repeated with each piece. In UTF-16 units. */
const MAX_LINE_LENGTH = 4_000
const MAX_FRAME_LENGTH = 2_000

/** A table row or a line of code: split only if it is too long to be written by hand. */
const linesOf = (line: string): string[] =>
  line.length <= MAX_LINE_LENGTH ? [line] : splitText(line, MAX_LINE_LENGTH)

/** Rows under their header. A header that is too long to be repeated is written once, above them. */
function table(head: string, rows: readonly string[], measure: Measure): SplittableBlock {
  const parts = rows.flatMap(linesOf).map((row) => part(row, measure))
  if (head.length <= MAX_FRAME_LENGTH) return { ...PLAIN, open: `${head}\n`, parts }
  return { ...PLAIN, parts: [...linesOf(head).map((line) => part(line, measure)), ...parts] }
}

function paragraph(markdown: string, measure: Measure): SplittableBlock {
  const whole = part(markdown, measure)
  const keepWithNext = markdown.length < 300 && /(?::|：|^\*\*[^*]+\*\*(?: \| .*)?)$/.test(markdown)
  if (whole.tokens <= measure.limit) return { ...PLAIN, parts: [whole], keepWithNext }
  const parts = markdownSentences(markdown).flatMap((sentence) => fitSentence(sentence, measure))
  return { ...PLAIN, separator: '', parts, keepWithNext: false }
}

/** A sentence that is too long alone is split between words; a word that is too long, at the limit. */
function fitSentence(sentence: string, measure: Measure): Part[] {
  const whole = part(sentence, measure)
  if (whole.tokens <= measure.limit) return [whole]
  return wordsOf(sentence).flatMap((word) => fitWord(word, measure))
}

function fitWord(word: string, measure: Measure): Part[] {
  // No real word is this long: skip measuring what has to be split in any case.
  if (word.length > MAX_WORD_LENGTH)
    return splitText(word, MAX_WORD_LENGTH / 2).flatMap((slice) => fitWord(slice, measure))
  const whole = part(word, measure)
  if (whole.tokens <= measure.limit || word.length < 2) return [whole]
  return splitText(word, Math.ceil(word.length / 2)).flatMap((half) => fitWord(half, measure))
}

const MAX_WORD_LENGTH = 2_000

/** `rendered` is fenced: its first and last lines are repeated with every piece. */
function code(rendered: string, measure: Measure): SplittableBlock {
  const lines = rendered.split('\n')
  const [fence = '', mark = '', end = ''] = [lines[0], /^`*/.exec(lines[0] ?? '')?.[0], lines.at(-1)]
  const parts = lines
    .slice(1, -1)
    .flatMap(linesOf)
    .map((line) => codePart(line, measure))
  if (mark.length > MAX_FRAME_LENGTH / 2) return { ...PLAIN, parts }
  const open = fence.length <= MAX_FRAME_LENGTH / 2 ? fence : mark
  return { ...PLAIN, open: `${open}\n`, close: `\n${end}`, parts, avoidSplit: true }
}

function listBlocks(list: Extract<Block, { kind: 'list' }>, measure: Measure): SplittableBlock[] {
  const splittables: SplittableBlock[] = []
  let short: Part[] = []
  const flushShort = () => {
    if (short.length > 0) splittables.push({ ...PLAIN, parts: short })
    short = []
  }
  for (const [place, item] of list.items.entries()) {
    const marker = listMarker(list, place)
    const whole = part(renderItem(item, marker), measure)
    if (whole.tokens <= measure.limit) {
      short.push(whole)
    } else {
      flushShort()
      splittables.push(...longItem(`${marker}${item}`, measure))
    }
  }
  flushShort()
  return splittables
}

/** Maximum indentation, in columns, that a fenced line can lose. */
const DEEPEST_INDENT = 100

/**
 * A list item too long for a chunk, as separate paragraphs, nested lines and code. They lose their indentation: outside of the item, a
 * deeply indented line would be read as code.
 */
function longItem(item: string, measure: Measure): SplittableBlock[] {
  const splittables: SplittableBlock[] = []
  let fence: { mark: string; indent: RegExp; lines: string[] } | undefined
  for (const indented of item.split('\n')) {
    const line = fence === undefined ? indented.trimStart() : indented.replace(fence.indent, '')
    const mark = /^(?:(?:[-*+]|\d+\.)\s+)?(`{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      fence.lines.push(line)
      if (line.trim() === fence.mark) {
        splittables.push(code(fence.lines.join('\n'), measure))
        fence = undefined
      }
    } else if (mark !== undefined) {
      const depth = Math.min(indented.length - line.length, DEEPEST_INDENT)
      fence = { mark, indent: new RegExp(`^ {0,${depth}}`), lines: [line] }
    } else if (line !== '') {
      const splittable = line.startsWith('|')
        ? { ...PLAIN, parts: linesOf(line).map((piece) => part(piece, measure)) }
        : paragraph(line, measure)
      splittables.push(splittable)
    }
  }
  if (fence !== undefined)
    splittables.push({ ...PLAIN, parts: fence.lines.flatMap(linesOf).map((line) => codePart(line, measure)) })
  return splittables
}
