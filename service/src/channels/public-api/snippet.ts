/**
 * Cuts a text at the last word before `maxCharacters` (code points, including the ellipsis).
 *
 * @example
 * cutSnippet('rotate the signing key', 14) // 'rotate the…'
 */
export function cutSnippet(text: string, maxCharacters: number): string {
  // A code point has at most two UTF-16 units, and collapsing white space only shortens the text.
  const points = Array.from(
    text
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 2 * maxCharacters + 2)
      .toWellFormed(),
  )
  if (points.length <= maxCharacters) return points.join('')
  const cut = points.slice(0, maxCharacters - 1).join('')
  const space = cut.lastIndexOf(' ')
  // A text without spaces (Chinese, a URL) is cut at the limit.
  return `${space > maxCharacters / 2 ? cut.slice(0, space) : cut}…`
}
