/** The words of a text in lower case, without punctuation. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Only letters and digits, so that white space, punctuation and markup make no difference. */
export const lettersOf = (text: string): string => wordsOf(text).join('')

/** Whether a text contains the words of another as a sequence. False for no words. */
export function holdsWords(text: string, words: string): boolean {
  const wanted = wordsOf(words)
  return wanted.length > 0 && ` ${wordsOf(text).join(' ')} `.includes(` ${wanted.join(' ')} `)
}

/** Fraction of the words of one text that are also in another, with multiplicity; 0 for no words. */
export function wordsShared(of: string, among: string): number {
  const left = new Map<string, number>()
  for (const word of wordsOf(among)) left.set(word, (left.get(word) ?? 0) + 1)
  const words = wordsOf(of)
  const shared = words.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  })
  return words.length === 0 ? 0 : shared.length / words.length
}
