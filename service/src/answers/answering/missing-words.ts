import type { Passage } from '../../content/search/search.ts'
import { joinPhrasalWords } from '../../content/text-terms/text-terms.ts'
import { contentWordsOf } from '../citations/citations.ts'

/** Another form of a word ends in other letters, up to so many, behind at least so many that are the same. */
const ENDING = { longest: 2, behind: 4 }

const WORD_BEFORE = /[\p{L}\p{N}]$/u

/** Whether a word of the text begins so. */
function isNamed(word: string, text: string): boolean {
  const beginning = word.slice(0, Math.max(ENDING.behind, word.length - ENDING.longest))
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    // "Digital" does not name Italy.
    if (!WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at))) return true
  }
  return false
}

/** A proper name is about one thing, however common it is in general. */
const RARITY_OF_NAME = 0.7

/** Words that are capitalized although no sentence begins with them. */
function properNamesIn(query: string): Set<string> {
  const words = query.split(/\s+/)
  const within = words.filter((_, at) => at > 0 && !/[.?!:]$/.test(words[at - 1] ?? ''))
  return new Set(
    within.flatMap((word) => word.split(/[^\p{L}\p{M}]+/u).filter((part) => /^\p{Lu}/u.test(part))),
  )
}

/**
 * How much of a question no passage that was found for it names, 0 to 1: the rarity of its content words that are in none, divided by the
 * number of its content words. Search by words finds a rare word wherever it is: pages that never say "Kafka" do not tell how to use it,
 * nor those without "Italy" what is allowed there. Other common words, which a page says in others, count little; numbers and identifiers not at all.
 */
export function missingShare(
  query: string,
  passages: readonly Pick<Passage, 'title' | 'headingPath' | 'text' | 'url'>[],
  rarityOf: (word: string) => number,
): number {
  const words = joinPhrasalWords(query)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => !/\p{N}/u.test(word) && contentWordsOf(word).length > 0)
  const text = joinPhrasalWords(
    passages
      .map((passage) => [passage.title, ...passage.headingPath, passage.text, passage.url].join('\n'))
      .join('\n'),
  )
  const seen = text.toLowerCase()
  const absent = words.filter((word) => !isNamed(word.toLowerCase(), seen))
  if (absent.length === 0) return 0
  const held = new Set(contentWordsOf(text))
  const missing = absent.filter((word) => !contentWordsOf(word).some((one) => held.has(one)))
  const names = properNamesIn(query)
  const weightOf = (word: string) => Math.max(rarityOf(word), names.has(word) ? RARITY_OF_NAME : 0)
  return missing.reduce((sum, word) => sum + weightOf(word), 0) / Math.max(1, words.length)
}
