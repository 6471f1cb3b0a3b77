import { ParseFailure } from './parse-failure.ts'
import type { Block } from './parsing-blocks.ts'

/** Text in the blocks, with marks and addresses: what it takes to read the result in, and the memory that holds it. */
const MAX_RESULT_BYTES = 64 * 1_048_576

/** Blocks, items and cells. Each costs time on its way to the index, however little stands in it. */
const MAX_PIECES = 300_000

/** @throws ParseFailure for a result that would take too much of whoever gets it. */
export function checkResult(result: unknown, lengths: readonly number[]): void {
  const bytes = lengths.reduce((sum, length) => sum + length, 0)
  if (bytes > MAX_RESULT_BYTES) {
    throw new ParseFailure(
      `What is in it takes ${Math.round(bytes / 1e6)} MB once it is read; ${Math.floor(MAX_RESULT_BYTES / 1e6)} MB are the most. Split it.`,
    )
  }
  const documents = (Array.isArray(result) ? result : [result]) as { document?: { blocks: Block[] } }[]
  const pieces = documents.reduce(
    (most, { document }) => Math.max(most, countPieces(document?.blocks ?? [])),
    0,
  )
  if (pieces > MAX_PIECES) {
    throw new ParseFailure(
      `It holds ${pieces} paragraphs, items and cells; ${MAX_PIECES} are the most that is indexed of one document. Split it.`,
    )
  }
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
