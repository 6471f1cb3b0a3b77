import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import type { PassageReading } from './read-passage.ts'

const Texts = z.array(z.string())
const WrittenReading = z.object({ parts: z.array(Texts).min(1), links: Texts, images: Texts })

/** Serializes a reading for storage with its passage. */
export const writeReading = (reading: PassageReading): string => JSON.stringify(reading).toWellFormed()

/** Parses a stored reading; undefined if it is missing, invalid, or does not match these parts. */
export function storedReading(of: {
  reading?: string | undefined
  places: readonly unknown[]
}): PassageReading | undefined {
  if (of.reading === undefined) return undefined
  const read = WrittenReading.safeParse(parseJson(of.reading))
  return read.success && read.data.parts.length === Math.max(1, of.places.length) ? read.data : undefined
}
