/** The largest index up to `at` where a text can be cut without splitting a surrogate pair. */
export function cutIndex(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length))
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at))
  return isHalf ? at - 1 : at
}

/** The first `most` UTF-16 units of a text, without splitting a surrogate pair. */
export const truncateText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, cutIndex(text, most))

/** Splits a text into pieces of at most `most` UTF-16 units without splitting a surrogate pair. Returns at least one piece. */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length || pieces.length === 0;) {
    const end = Math.max(cutIndex(text, start + most), Math.min(start + 1, text.length))
    pieces.push(text.slice(start, end))
    start = end
    if (text.length === 0) break
  }
  return pieces
}
