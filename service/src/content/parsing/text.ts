import { decodeText } from './charset.ts'
import { textLengthOf } from './document-text.ts'
import { oneLine } from './html-tree.ts'
import { escapeLineStart, escapeText } from './inline-markdown.ts'
import { lastSegment } from './last-segment.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'

/** A first line up to this length, alone in its paragraph, is a title. */
const MAX_TITLE_LENGTH = 100

/** Reads plain text: paragraphs between blank lines; columns and indented text keep their layout. */
export function parseText(input: ParseInput): ParsedPage {
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false })
  const parts = text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n/)
    .map((part) => part.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd())
    .filter((part) => part.trim() !== '')
  const [first = ''] = parts
  const isTitled = parts.length > 1 && !first.trim().includes('\n') && first.trim().length <= MAX_TITLE_LENGTH
  const title = (isTitled ? oneLine(first) : '') || lastSegment(input.url)
  const blocks = (isTitled ? parts.slice(1) : parts).map(textBlock)
  return {
    document: { title, language: undefined, blocks },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

function textBlock(part: string): Block {
  const lines = part.split('\n')
  const isLaidOut =
    lines.length > 1 && lines.filter((line) => /^\s{2,}|\S {3,}\S|\t/.test(line)).length * 2 > lines.length
  return isLaidOut
    ? { kind: 'code', language: undefined, code: part }
    : {
        kind: 'paragraph',
        markdown: escapeLineStart(lines.map((line) => escapeText(line.trim())).join('\n')),
      }
}
