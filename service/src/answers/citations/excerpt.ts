import type { Span } from './find-words.ts'

/** Target length of an excerpt in characters. */
const EXCERPT_CHARACTERS = 300
/** Maximum length of the required spans: the rest is cut at the end. */
const MAX_CHARACTERS = 3_000
/** Gaps between two spans up to this length in characters are shown rather than left out. */
const SHORT_GAP = 60

const isSpace = (text: string, at: number) => text[at] === undefined || /\s/.test(text[at])

/** Spans in order, merged if they overlap or nearly touch. */
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

/** The spans, cut to the maximum length. */
function truncated(pieces: readonly Span[]): Span[] {
  let room = MAX_CHARACTERS
  return pieces.flatMap(({ start, end }) => {
    const kept = Math.min(end, start + room)
    room -= kept - start
    return kept > start ? [{ start, end: kept }] : []
  })
}

/**
 * A readable excerpt of plain text: all required spans, with context as far as there is room, cut at words, with an
 * ellipsis where text is left out.
 *
 * @param shown - the spans that it must show; empty for the beginning
 * @param from - offset where the text worth showing begins (after a heading)
 */
export function excerptAround(text: string, shown: readonly Span[], from: number): string {
  const pieces = truncated(joined(shown))
  const first = pieces[0] ?? { start: from, end: from }
  const last = pieces.at(-1) ?? first
  const least = Math.min(from, first.start)
  if (text.length - least <= EXCERPT_CHARACTERS) return text.slice(least).toWellFormed()

  const spare = Math.max(0, EXCERPT_CHARACTERS - pieces.reduce((sum, { start, end }) => sum + end - start, 0))
  const [roomBefore, roomAfter] = [first.start - least, text.length - last.end]
  // A third of the room goes before, the rest after; room that one side does not need goes to the other.
  const after = Math.min(spare - Math.min(Math.floor(spare / 3), roomBefore), roomAfter)
  const before = Math.min(spare - after, roomBefore)
  let start = first.start - before
  while (start > least && start < first.start && !isSpace(text, start - 1)) start += 1
  const furthest = last.end + after
  let end = furthest
  while (end < text.length && end > last.end && !isSpace(text, end)) end -= 1
  // The beginning of a text without spaces.
  if (pieces.length === 0 && end === last.end) end = furthest

  const edges = pieces.length === 0 ? [first] : pieces
  const cut = edges.map((piece, index) =>
    text.slice(index === 0 ? start : piece.start, index === edges.length - 1 ? end : piece.end).trim(),
  )
  return `${start > least ? '… ' : ''}${cut.join(' … ')}${end < text.length ? ' …' : ''}`.toWellFormed()
}
