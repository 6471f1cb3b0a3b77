import { cutIndex } from '../../kernel/cut-text.ts'
import { LONGEST_PASSAGE, MOST_PLACES } from '../reading/reading.ts'
import type { Chunk } from './chunk.ts'

/** A line end, or else a space, this near to the limit is the better place to cut. In UTF-16 units. */
const NEAR = 1_000

/** Where a text that is too long is cut, behind `from`. */
function cutBehind(text: string, from: number): number {
  const end = from + LONGEST_PASSAGE
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end - 1)
  if (line > end - NEAR) return line + 1
  const space = text.lastIndexOf(' ', end - 1)
  return space > end - NEAR ? space + 1 : cutIndex(text, end)
}

/**
 * A chunk as it is, or in pieces where it is longer than a passage may be: what no packing keeps short (nobody writes such a
 * text) is cut anywhere. Each piece opens where it begins.
 */
export function cutLong(chunk: Omit<Chunk, 'ordinal'>): Omit<Chunk, 'ordinal'>[] {
  const { text } = chunk
  const places = chunk.places.slice(0, MOST_PLACES)
  if (text.length <= LONGEST_PASSAGE) return [{ ...chunk, places }]
  const pieces: Omit<Chunk, 'ordinal'>[] = []
  for (let start = 0; start < text.length;) {
    const end = cutBehind(text, start)
    const first = places.findLast(({ at }) => at <= start)
    const within = places
      .filter(({ at }) => at > start && at < end)
      .map((place) => ({ ...place, at: place.at - start }))
    pieces.push({
      ...chunk,
      anchor: first?.anchor ?? chunk.anchor,
      text: text.slice(start, end),
      places: within.length === 0 ? [] : [{ ...first, at: 0, headings: first?.headings ?? [] }, ...within],
    })
    start = end
  }
  return pieces
}
