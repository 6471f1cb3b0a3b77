import { readVocabulary } from './vocabulary.ts'
import { createWordPiece } from './word-piece.ts'

/** How an embedder counts tokens, as plain data, so that another thread can count the same way. */
export type TokenCounting =
  | { kind: 'bytes'; perToken: number }
  | { kind: 'word-piece'; tokenizerFolder: string }

/** Returns the number of tokens of a text. */
export type CountTokens = (text: string) => number

export const countByBytes =
  (perToken: number): CountTokens =>
  (text) =>
    Math.ceil(Buffer.byteLength(text) / perToken)

/** Creates the counter; reading a vocabulary takes a few milliseconds. */
export async function createTokenCounter(counting: TokenCounting): Promise<CountTokens> {
  if (counting.kind === 'bytes') return countByBytes(counting.perToken)
  const wordPiece = createWordPiece(await readVocabulary(counting.tokenizerFolder))
  return (text) => wordPiece.countPieces(text)
}
