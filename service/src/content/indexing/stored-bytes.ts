import type { ChunkRow } from './indexing-store.ts'

/** Of each passage: its row, and its places in the indexes. */
const ROW_BYTES = 1_000

/** A number of a vector takes four bytes in its row, and four in the index of vectors. */
const BYTES_OF_NUMBER = 8

const lengthOf = (text: string) => Buffer.byteLength(text)

/** About what a document takes on the disk with everything that is made of it; migration 0027 sums up the same. */
export function storedBytesOf(rows: readonly ChunkRow[], pageTerms: string): number {
  const passages = rows.map(
    ({ text, terms, vector }) =>
      ROW_BYTES +
      2 * lengthOf(text) +
      2 * lengthOf(terms) +
      BYTES_OF_NUMBER * (vector?.whole.length ?? 0) +
      (vector?.sentences?.byteLength ?? 0),
  )
  return passages.reduce((total, bytes) => total + bytes, 2 * lengthOf(pageTerms))
}
