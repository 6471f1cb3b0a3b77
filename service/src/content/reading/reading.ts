import { cachedReading } from './cached-reading.ts'
import { readPassage, type PassageReading } from './read-passage.ts'
import { storedReading } from './stored-reading.ts'

export { MAX_PASSAGE_LENGTH, MAX_PLACES } from './passage-limits.ts'
export { readPassage } from './read-passage.ts'
export { writeReading } from './stored-reading.ts'

/** A passage as it is read from storage. */
export interface ReadablePassage {
  text: string
  places: readonly { at: number }[]
  /** As `writeReading` wrote it when the passage was indexed; undefined for passages indexed before that existed. */
  reading?: string | undefined
}

/** The reading of a passage: the one stored when it was indexed, or else computed now, within the limits. */
export const readingOf = cachedReading<ReadablePassage, PassageReading>(
  (passage) => storedReading(passage) ?? readPassage(passage.text, passage.places),
)
