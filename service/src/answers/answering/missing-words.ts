import type { Passage } from '../../content/search/search.ts'
import { contentWordsOf } from '../citations/citations.ts'

/** Another form of a word ends in other letters, up to so many, behind at least so many that are the same. */
const ENDING = { longest: 2, behind: 4 }

const isNamed = (word: string, text: string) =>
  text.includes(word.slice(0, Math.max(ENDING.behind, word.length - ENDING.longest)))

/**
 * How much of a question no passage that was found for it names, 0 to 1: the rarity of its content words that are in none, divided by the
 * number of its content words. Search by words finds a rare word wherever it is: pages that never say "Kafka" do not tell how to use it.
 * Common words, which a page says in others, count little; numbers and identifiers not at all.
 */
export function missingShare(
  query: string,
  passages: readonly Pick<Passage, 'title' | 'headingPath' | 'text' | 'url'>[],
  rarityOf: (word: string) => number,
): number {
  const words = query
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => !/\p{N}/u.test(word) && contentWordsOf(word).length > 0)
  const text = passages
    .map((passage) => [passage.title, ...passage.headingPath, passage.text, passage.url].join('\n'))
    .join('\n')
  const seen = text.toLowerCase()
  const absent = words.filter((word) => !isNamed(word.toLowerCase(), seen))
  if (absent.length === 0) return 0
  const held = new Set(contentWordsOf(text))
  const missing = absent.filter((word) => !contentWordsOf(word).some((one) => held.has(one)))
  return missing.reduce((sum, word) => sum + rarityOf(word), 0) / Math.max(1, words.length)
}
