import type { ParseInput } from './parsing-blocks.ts'
import type { TicketSample } from './tickets/ticket-found.ts'

/** A task without its bytes, which follow in pieces. */
export interface ParsingTask {
  kind: 'document' | 'operations' | 'sitemap' | 'mail' | 'mail-file' | 'tickets'
  input: Omit<ParseInput, 'bytes'>
  /** Maximum CPU time, in milliseconds. */
  workLimitMs: number
  /** Maximum entries to return from a sitemap. */
  maxEntries?: number | undefined
  /** Which file of a mail to return. */
  fileAt?: number | undefined
  /** Which tickets of a file to return. */
  sample?: TicketSample | undefined
}

/** To the parser: the task, then as many pieces as make up `bytes`. */
export type ToParser = { task: ParsingTask; bytes: number } | Uint8Array

/**
 * From the parser. `ready` once it has started. An answer is a failure, or the result, which follows in pieces: its parts as `v8.serialize`
 * writes them, of the given lengths. Afterwards, with the task's memory released, it reports how much memory the parser still holds, in
 * bytes.
 */
export type FromParser = 'ready' | { failure: string } | { parts: number[] } | { memory: number } | Uint8Array

/** Maximum bytes per message: a larger piece would block the sender's thread for longer. */
const PIECE_BYTES = 1_048_576

export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Reassembles the pieces. */
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
