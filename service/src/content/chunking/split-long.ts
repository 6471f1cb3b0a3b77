import { cutIndex } from '../../kernel/cut-text.ts'
import { MAX_PASSAGE_LENGTH, MAX_PLACES } from '../reading/reading.ts'
import type { Chunk } from './chunk.ts'

/** If a line end, or else a space, is this close to the limit, the text is split there. In UTF-16 units. */
const NEAR = 1_000

/** Where to split a text that is too long, after `from`. */
function splitPoint(text: string, from: number): number {
  const end = from + MAX_PASSAGE_LENGTH
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end - 1)
  if (line > end - NEAR) return line + 1
  const space = text.lastIndexOf(' ', end - 1)
  return space > end - NEAR ? space + 1 : cutIndex(text, end)
}

/**
 * Returns the chunk, or pieces of it if it exceeds the maximum passage length. Text that packing cannot shorten (real documents have none)
 * is split anywhere. Each piece gets the anchor at its own start.
 */
export function splitLong(chunk: Omit<Chunk, 'ordinal'>): Omit<Chunk, 'ordinal'>[] {
  const { text } = chunk
  const places = chunk.places.slice(0, MAX_PLACES)
  if (text.length <= MAX_PASSAGE_LENGTH) return [{ ...chunk, places }]
  const pieces: Omit<Chunk, 'ordinal'>[] = []
  for (let start = 0; start < text.length;) {
    const end = splitPoint(text, start)
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
