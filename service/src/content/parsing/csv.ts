import { parseCsv, separatorOf } from '../../kernel/csv.ts'
import { decodeText } from './charset.ts'
import { textLengthOf } from './document-text.ts'
import { lastSegment } from './last-segment.ts'
import { leftOutOf } from './left-out.ts'
import type { ParsedPage, ParseInput } from './parsing-blocks.ts'
import { MAX_ROWS, sheetBlocks } from './sheet-blocks.ts'

/** Rows of one cell above the head, at most. */
const MAX_ABOVE = 50

/** Reads a table of comma, semicolon or tab separated values (RFC 4180). */
export function parseCsvFile(input: ParseInput): ParsedPage {
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false }).replace(/^\uFEFF/, '')
  const rows = parseCsv(text, { separator: separatorOf(text), most: MAX_ABOVE + MAX_ROWS + 1 })
  const told = new Set<string>()
  const blocks = sheetBlocks(
    rows.map(({ fields }) => fields),
    told,
  )
  return {
    document: { title: lastSegment(input.url), language: undefined, blocks, ...leftOutOf(told) },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}
