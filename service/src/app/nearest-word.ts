/** How many letters have to be put in, taken out, changed or swapped with their neighbour to make one word of the other. */
function lettersApart(left: string, right: string): number {
  let before: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, place) => place)
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      line[column] = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = line
  }
  return last[right.length] ?? 0
}

/** A longer word than any of ours is compared by its beginning. */
const MOST_LETTERS = 60

/**
 * The word that was probably meant, or undefined where none is near: at most a third of its letters, and three, may differ.
 *
 * @example
 * nearestWord('serach', ['ask', 'search']) // 'search'
 */
export function nearestWord(written: string, words: readonly string[]): string | undefined {
  const given = written.toLowerCase().slice(0, MOST_LETTERS)
  const measured = words.map((word) => ({ word, apart: lettersApart(given, word.toLowerCase()) }))
  const [nearest] = measured.toSorted((left, right) => left.apart - right.apart)
  if (nearest === undefined) return undefined
  return nearest.apart <= Math.min(3, Math.ceil(nearest.word.length / 3)) ? nearest.word : undefined
}
