import { markdownLink } from '../../../kernel/markdown-name.ts'
import type { Passage } from '../../../content/search/search.ts'

/** How many pages are named as a hint. */
const CLOSEST_PAGES = 3

/** Says that the documentation does not answer the question, and names the closest pages without claiming more. */
export async function* sayNotCovered(passages: readonly Passage[]): AsyncGenerator<string, void, void> {
  yield 'The documentation does not cover this question.'
  const pages = [...new Map(passages.map((passage) => [passage.documentId, passage])).values()].slice(
    0,
    CLOSEST_PAGES,
  )
  if (pages.length > 0)
    yield ` The closest pages are:\n\n${pages.map((page) => `- ${markdownLink(page.title, page.url)}`).join('\n')}`
}
