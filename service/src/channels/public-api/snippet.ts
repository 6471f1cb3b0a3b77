/**
 * Cuts a text at the last word before `maxCharacters` (code points, the ellipsis included).
 *
 * @example
 * cutSnippet('rotate the signing key', 14) // 'rotate the…'
 */
export function cutSnippet(text: string, maxCharacters: number): string {
  // A character has two units at most, and white space becomes less.
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
  // A text without spaces (Chinese, an address) is cut where it is.
  return `${space > maxCharacters / 2 ? cut.slice(0, space) : cut}…`
}
