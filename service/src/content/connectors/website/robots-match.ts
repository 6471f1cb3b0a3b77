/**
 * Whether a pattern of robots.txt matches the beginning of a path: `*` matches anything, a final `$` the end. The pieces between stars are
 * searched for one after the other, each at its first occurrence, without backtracking.
 */
export function matchesRobotsPattern(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = ''] = pieces
  if (!path.startsWith(first)) return false
  const last = pieces.length - 1
  let at = first.length
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) continue
    if (index === last && isWhole) return path.length - piece.length >= at && path.endsWith(piece)
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return !isWhole || at === path.length
}
