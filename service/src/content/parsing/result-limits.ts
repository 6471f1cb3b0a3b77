import { ParseFailure } from './parse-failure.ts'
import type { Block } from './parsing-blocks.ts'

/** Maximum text in the blocks, including markup and addresses: limits the time to read the result, and its memory. */
const MAX_RESULT_BYTES = 64 * 1_048_576

/** Maximum blocks, items and cells. Each costs time on its way to the index, however short it is. */
const MAX_PIECES = 300_000

/** @throws ParseFailure for a result that is too large for its receiver. */
export function checkResult(result: unknown, lengths: readonly number[]): void {
  const bytes = lengths.reduce((sum, length) => sum + length, 0)
  if (bytes > MAX_RESULT_BYTES)
    throw new ParseFailure(
      `Its contents take ${Math.round(bytes / 1e6)} MB; the limit is ${Math.floor(MAX_RESULT_BYTES / 1e6)} MB. Split it.`,
    )
  const documents = (Array.isArray(result) ? result : [result]) as { document?: { blocks: Block[] } }[]
  const pieces = documents.reduce(
    (most, { document }) => Math.max(most, countPieces(document?.blocks ?? [])),
    0,
  )
  if (pieces > MAX_PIECES)
    throw new ParseFailure(
      `It contains ${pieces} paragraphs, items and cells; the limit is ${MAX_PIECES}. Split it.`,
    )
}

function countPieces(blocks: readonly Block[]): number {
  let count = blocks.length
  for (const block of blocks) {
    if (block.kind === 'list') count += block.items.length
    else if (block.kind === 'table') count += block.rows.reduce((sum, row) => sum + row.length, 0)
    else if (block.kind === 'entry') count += countPieces(block.blocks)
  }
  return count
}
