import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { ParsedDocument } from '../parsing/parsing.ts'

/** Characters to hash between two turns of the event loop: takes some milliseconds. */
const BATCH_CHARACTERS = 500_000

/**
 * Hashes the content of a document: if the hash differs, the document is indexed again. `length` is that of all its text, in UTF-16 units.
 */
export async function hashContent(
  url: string,
  { title, language, blocks, leftOut }: ParsedDocument,
): Promise<{ hash: string; length: number }> {
  let length = 0
  const hash = createHash('sha256').update(JSON.stringify([url, title, language ?? '']))
  // Most documents are whole: their hashes are as they were before this was noted.
  if (leftOut !== undefined) hash.update(`\n${JSON.stringify({ leftOut })}`)
  let written = 0
  for (const block of blocks) {
    const text = JSON.stringify(block)
    hash.update(`\n${text}`)
    written += text.length
    length += text.length
    if (written < BATCH_CHARACTERS) continue
    written = 0
    await turn()
  }
  return { hash: hash.digest('hex'), length }
}
