import { readVocabulary } from './vocabulary.ts'
import { createWordPiece } from './word-piece.ts'

/** How an embedder counts tokens, so that another thread can do the same. */
export type TokenCounting =
  | { kind: 'bytes'; perToken: number }
  | { kind: 'word-piece'; tokenizerFolder: string }

/** Tokens of a text. */
export type CountTokens = (text: string) => number

export const countByBytes =
  (perToken: number): CountTokens =>
  (text) =>
    Math.ceil(Buffer.byteLength(text) / perToken)

/** Makes the counter; a vocabulary takes some milliseconds to read. */
export async function createTokenCounter(counting: TokenCounting): Promise<CountTokens> {
  if (counting.kind === 'bytes') return countByBytes(counting.perToken)
  const wordPiece = createWordPiece(await readVocabulary(counting.tokenizerFolder))
  return (text) => wordPiece.countPieces(text)
}
