import type { Passage } from '../../content/search/search.ts'
import { contentWordsOf } from '../citations/citations.ts'

/** The heading right above a passage; the page's title if it has none. */
export const sectionOf = ({ title, headingPath }: Pick<Passage, 'title' | 'headingPath'>): string =>
  headingPath.at(-1) ?? title

/** The heading right above a unit: tiny sections share a passage, and all but the first have their headings in its places. */
export const sectionOfUnit = (
  { section }: { section: number },
  passage: Pick<Passage, 'title' | 'headingPath' | 'places'>,
): string => passage.places[section - 1]?.headings.at(-1) ?? sectionOf(passage)

/** Share of the words of a heading that the question contains, 0 to 1: a heading that asks the question points at its text. */
export function headingShare(heading: string, asked: ReadonlySet<string>): number {
  const words = contentWordsOf(heading)
  return words.filter((word) => asked.has(word)).length / Math.max(1, words.length)
}
