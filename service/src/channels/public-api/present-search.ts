import { LIMITS } from '@citewell/contract/limits'
import type { RelatedArticles } from '@citewell/contract/related'
import type { SearchResults } from '@citewell/contract/search'
import { foundPassage, textOfPassage } from '../../answers/citations/citations.ts'
import type { Passage } from '../../content/search/search.ts'
import { POWERED_BY } from './powered-by.ts'
import { cutSnippet } from './snippet.ts'

const snippetOf = (text: string) => cutSnippet(text, LIMITS.relatedSnippet)

/** The pages that were found, each with the address of its best section and the text nearest to the query. */
export function presentSearchResults(passages: readonly Passage[], query: string): SearchResults {
  const results = passages.map((passage) => {
    const { url, text } = foundPassage(passage, [query])
    return {
      document_id: passage.documentId,
      chunk_id: passage.chunkId,
      title: passage.title,
      url,
      heading_path: passage.headingPath,
      snippet: snippetOf(text),
      score: passage.score,
      version_label: passage.versionLabel ?? null,
    }
  })
  return { results, count: results.length, ...POWERED_BY }
}

/** The same pages as articles to read, with the address of the page instead of a section. */
export function presentRelatedArticles(passages: readonly Passage[]): RelatedArticles {
  const articles = passages.map((passage) => ({
    url: passage.url,
    title: passage.title,
    snippet: snippetOf(textOfPassage(passage)),
  }))
  return { articles, count: articles.length, ...POWERED_BY }
}
