import type { Span } from './find-words.ts'

/** Length that an excerpt is filled up to, in characters. */
const EXCERPT_CHARACTERS = 300
/** Length of what it has to show: more is left out at the end. */
const MOST_CHARACTERS = 3_000
/** Words between two stretches that are rather shown than left out, in characters. */
const SHORT_GAP = 60

const isSpace = (text: string, at: number) => text[at] === undefined || /\s/.test(text[at])

/** Stretches in order, those that overlap or nearly meet made one. */
function joined(spans: readonly Span[]): Span[] {
  const ordered = spans.toSorted((left, right) => left.start - right.start)
  const pieces: Span[] = []
  for (const { start, end } of ordered) {
    const last = pieces.at(-1)
    const isNear = last !== undefined && start - last.end <= SHORT_GAP
    if (isNear) last.end = Math.max(last.end, end)
    else pieces.push({ start, end })
  }
  const [first] = pieces
  const last = pieces.at(-1)
  if (first === undefined || last === undefined) return []
  return last.end - first.start <= EXCERPT_CHARACTERS ? [{ start: first.start, end: last.end }] : pieces
}

/** Pieces as far as there is room for what has to be shown. */
function withinMost(pieces: readonly Span[]): Span[] {
  let room = MOST_CHARACTERS
  return pieces.flatMap(({ start, end }) => {
    const kept = Math.min(end, start + room)
    room -= kept - start
    return kept > start ? [{ start, end: kept }] : []
  })
}

/**
 * A readable piece of plain text: all of what it has to show, with what stands around it where there is room, cut at
 * words, with an ellipsis where something is left out.
 *
 * @param shown - what it has to show; nothing for the beginning
 * @param from - where the text begins that is worth showing for itself
 */
export function excerptAround(text: string, shown: readonly Span[], from: number): string {
  const pieces = withinMost(joined(shown))
  const first = pieces[0] ?? { start: from, end: from }
  const last = pieces.at(-1) ?? first
  const least = Math.min(from, first.start)
  if (text.length - least <= EXCERPT_CHARACTERS) return text.slice(least).toWellFormed()

  const spare = Math.max(0, EXCERPT_CHARACTERS - pieces.reduce((sum, { start, end }) => sum + end - start, 0))
  const [roomBefore, roomAfter] = [first.start - least, text.length - last.end]
  // A third of the room before, the rest after; what one side does not need is for the other.
  const after = Math.min(spare - Math.min(Math.floor(spare / 3), roomBefore), roomAfter)
  const before = Math.min(spare - after, roomBefore)
  let start = first.start - before
  while (start > least && start < first.start && !isSpace(text, start - 1)) start += 1
  const furthest = last.end + after
  let end = furthest
  while (end < text.length && end > last.end && !isSpace(text, end)) end -= 1
  // The beginning of a text that has no spaces.
  if (pieces.length === 0 && end === last.end) end = furthest

  const edges = pieces.length === 0 ? [first] : pieces
  const cut = edges.map((piece, place) =>
    text.slice(place === 0 ? start : piece.start, place === edges.length - 1 ? end : piece.end).trim(),
  )
  return `${start > least ? '… ' : ''}${cut.join(' … ')}${end < text.length ? ' …' : ''}`.toWellFormed()
}
