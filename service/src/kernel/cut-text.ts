/** Where a text may be cut at `at` or before: not between the two halves of one character. */
export function cutPlace(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length))
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at))
  return isHalf ? at - 1 : at
}

/** The beginning of a text, no character cut in two. */
export const firstOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, cutPlace(text, most))

/** A text in pieces of at most so many UTF-16 units, no character cut in two. One piece at least. */
export function inPieces(text: string, most: number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length || pieces.length === 0;) {
    const end = Math.max(cutPlace(text, start + most), Math.min(start + 1, text.length))
    pieces.push(text.slice(start, end))
    start = end
    if (text.length === 0) break
  }
  return pieces
}
