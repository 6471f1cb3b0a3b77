import type { ChunkRow } from './indexing-store.ts'

type WrittenChunk = Pick<ChunkRow, 'text' | 'terms' | 'reading'>

/** Overhead of each passage: its row, and its index entries. */
const ROW_BYTES = 1_000

/** A number of a vector takes four bytes in its row, and four in the vector index. */
const BYTES_OF_NUMBER = 8

const lengthOf = (text: string) => Buffer.byteLength(text)

const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** A lower bound known before anything is embedded: it lacks only the vectors of single sentences. */
export function minStoredBytes(
  chunks: readonly WrittenChunk[],
  pageTerms: string,
  dimensions: number,
): number {
  const each = ROW_BYTES + BYTES_OF_NUMBER * dimensions
  return (
    2 * lengthOf(pageTerms) +
    sumOf(
      chunks.map(
        ({ text, terms, reading }) => each + 2 * lengthOf(text) + 2 * lengthOf(terms) + lengthOf(reading),
      ),
    )
  )
}

/** Of vectors, each given by its numbers and by the bytes of its sentences. */
export const vectorBytes = (
  vectors: readonly (readonly [dimensions: number, sentences: number | null | undefined])[],
): number => sumOf(vectors.map(([dimensions, sentences]) => BYTES_OF_NUMBER * dimensions + (sentences ?? 0)))

/** Approximate bytes on disk of a document and everything made from it; migration 0027 computes the same. */
export function storedBytesOf(rows: readonly ChunkRow[], pageTerms: string): number {
  const vectors = rows.map(
    ({ vector }) => [vector?.whole.length ?? 0, vector?.sentences?.byteLength] as const,
  )
  return minStoredBytes(rows, pageTerms, 0) + vectorBytes(vectors)
}
