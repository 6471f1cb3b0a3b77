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

/** Blocks as strands, each with parts that fit the limit, but for single rows and lines that are longer by themselves. */
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
      return [
        {
          ...PLAIN,
          open: `${renderTableHead(block).join('\n')}\n`,
          parts: block.rows.map((row) => part(renderRow(row), measure)),
        },
      ]
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

export function part(text: string, { countTokens }: Measure): Part {
  const seen = plainText(text)
  return { text, tokens: countTokens(seen), length: seen.length }
}

/** Code is seen as it is. */
function codePart(text: string, { countTokens }: Measure): Part {
  return { text, tokens: countTokens(text), length: text.length }
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
    return slices(word, LONGEST_WORD / 2).flatMap((slice) => fitWord(slice, measure))
  const whole = part(word, measure)
  if (whole.tokens <= measure.limit || word.length < 2) return [whole]
  return slices(word, Math.ceil(word.length / 2)).flatMap((half) => fitWord(half, measure))
}

const LONGEST_WORD = 2_000

/** Pieces of about `length` characters; none ends within a surrogate pair. */
function slices(word: string, length: number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < word.length;) {
    let end = Math.min(start + length, word.length)
    if (end < word.length && (word.codePointAt(end - 1) ?? 0) > 0xffff) end += 1
    pieces.push(word.slice(start, end))
    start = end
  }
  return pieces
}

/** `rendered` is fenced: its first and last line are what is repeated. */
function code(rendered: string, measure: Measure): Strand {
  const lines = rendered.split('\n')
  const open = `${lines[0] ?? ''}\n`
  const close = `\n${lines.at(-1) ?? ''}`
  return {
    ...PLAIN,
    open,
    close,
    parts: lines.slice(1, -1).map((line) => codePart(line, measure)),
    isKeptWhole: true,
  }
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
      const depth = indented.length - line.length
      fence = { mark, indent: new RegExp(`^ {0,${depth}}`), lines: [line] }
    } else if (line !== '') {
      const strand = line.startsWith('|')
        ? { ...PLAIN, parts: [part(line, measure)] }
        : paragraph(line, measure)
      strands.push(strand)
    }
  }
  if (fence !== undefined)
    strands.push({ ...PLAIN, parts: fence.lines.map((line) => codePart(line, measure)) })
  return strands
}
