import type { ParseInput } from './parsing-blocks.ts'

/** One thing to be parsed, without its bytes: they follow in pieces. */
export interface ParsingTask {
  kind: 'document' | 'operations' | 'sitemap'
  input: Omit<ParseInput, 'bytes'>
  /** Milliseconds of the processor. */
  workLimitMs: number
  /** Most entries of a sitemap that are of use. */
  maxEntries?: number | undefined
}

/** To the parser: what to do, then as many pieces as make up `bytes`. */
export type ToParser = { task: ParsingTask; bytes: number } | Uint8Array

/**
 * From the parser. `ready` once it has started. An answer is a failure, or the result, which follows in pieces: its parts as
 * `v8.serialize` writes them, of the given lengths. After it, with the task forgotten, comes how much memory the parser still holds, in bytes.
 */
export type FromParser = 'ready' | { failure: string } | { parts: number[] } | { memory: number } | Uint8Array

/** Written at once: a larger piece would hold up the sender's thread for longer. */
const PIECE_BYTES = 1_048_576

export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Puts pieces together again. */
export function createGathering(bytes: number) {
  const whole = new Uint8Array(bytes)
  let at = 0
  return {
    whole,
    /** @returns whether it is complete */
    add(piece: Uint8Array): boolean {
      whole.set(piece, at)
      at += piece.byteLength
      return at >= bytes
    },
    isComplete: () => at >= bytes,
  }
}
