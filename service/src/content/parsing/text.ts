import { decodeText } from './charset.ts'
import { textLengthOf } from './document-text.ts'
import { oneLine } from './html-tree.ts'
import { lastSegment } from './last-segment.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'
import { listOfText, paragraphOfText } from './text-lines.ts'
import { rowsOfText } from './text-rows.ts'

/** A first line up to this length, alone in its paragraph, is a title. */
const MAX_TITLE_LENGTH = 100

/** Reads plain text: paragraphs between blank lines. Rows are tables, lines that mean something stay lines, other columns and indented text keep their layout. */
export function parseText(input: ParseInput): ParsedPage {
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false })
  const parts = text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n/)
    .map((part) => part.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd())
    .filter((part) => part.trim() !== '')
  const width = widthOf(text)
  const [first = ''] = parts
  const isTitled = parts.length > 1 && !first.trim().includes('\n') && first.trim().length <= MAX_TITLE_LENGTH
  const title = (isTitled ? oneLine(first) : '') || lastSegment(input.url)
  const blocks = (isTitled ? parts.slice(1) : parts).map((part) => textBlock(part, width))
  return {
    document: { title, language: undefined, blocks },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

/** Lines longer than this are paragraphs, each on one line: they say nothing about where others end. */
const MAX_LINE_LENGTH = 120

const widthOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim().length)
    .reduce((longest, length) => (length <= MAX_LINE_LENGTH && length > longest ? length : longest), 0)

function textBlock(part: string, width: number): Block {
  const lines = part.split('\n')
  const block = lines.length > 1 ? (rowsOfText(part) ?? listOfText(lines)) : undefined
  if (block !== undefined) return block
  const isLaidOut =
    lines.length > 1 && lines.filter((line) => /^\s{2,}|\S {3,}\S|\t/.test(line)).length * 2 > lines.length
  return isLaidOut ? { kind: 'code', language: undefined, code: part } : paragraphOfText(lines, width)
}
