import type { Passage } from '../../content/search/search.ts'
import { contentWordsOf } from '../citations/citations.ts'

/** The heading right above a passage; the page's title if it has none. */
export const sectionOf = ({ title, headingPath }: Pick<Passage, 'title' | 'headingPath'>): string =>
  headingPath.at(-1) ?? title

/** Share of the words of a passage's heading that the question contains, 0 to 1: a heading that asks the question points at its text. */
export function headingShare(
  passage: Pick<Passage, 'title' | 'headingPath'>,
  asked: ReadonlySet<string>,
): number {
  const words = contentWordsOf(sectionOf(passage))
  return words.filter((word) => asked.has(word)).length / Math.max(1, words.length)
}
