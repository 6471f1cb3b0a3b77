import { cachedReading } from './cached-reading.ts'
import { readPassage, type PassageReading } from './read-passage.ts'
import { writtenReading } from './written-reading.ts'

export { LONGEST_PASSAGE, MOST_PLACES } from './passage-limits.ts'
export { readPassage } from './read-passage.ts'
export type { PassageReading } from './read-passage.ts'
export { writeReading } from './written-reading.ts'

/** A passage as it is read from storage. */
export interface ReadablePassage {
  text: string
  places: readonly { at: number }[]
  /** As `writeReading` wrote it when the passage was indexed; undefined for what is older than that. */
  reading?: string | undefined
}

/** What a passage says to a reader: as it was found when it was indexed, or else read now, within its limits. */
export const readingOf = cachedReading<ReadablePassage, PassageReading>(
  (passage) => writtenReading(passage) ?? readPassage(passage.text, passage.places),
)
