import { ParseFailure } from '../../parsing/parsing.ts'

/** Bytes of one file that is read. */
export const MAX_FILE_BYTES = 33_554_432

/** What is wrong with a larger one, and what its owner can do. */
export const TOO_LARGE =
  'is larger than 32 MiB: divide it into parts, or leave out its images, and the next sync reads it.'

/** @throws ParseFailure if a product says that a file is larger than what is read; undefined: it does not say */
export function requireReadableSize(bytes: number | undefined): void {
  if ((bytes ?? 0) > MAX_FILE_BYTES) throw new ParseFailure(`It ${TOO_LARGE}`)
}
