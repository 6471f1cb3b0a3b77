import { LIMITS } from '@citewell/contract/limits'
import { SearchDocsInput, SearchDocsResult } from '@citewell/contract/mcp-tools'
import { citationOf } from '../../../answers/citations/citations.ts'
import type { PrivateSearch } from '../../../answers/question-settings/question-settings.ts'
import type { Passage } from '../../../content/search/search.ts'
import { markdownName, markdownPath, shownAddress } from '../../../kernel/markdown-name.ts'
import { searchToolName } from '../tool-names.ts'
import { toolResult } from '../tool-result.ts'
import { defineTool, READS } from './tool.ts'

/** A page in the form of a search result. */
export function foundPage(passage: Passage, query: string): SearchDocsResult['results'][number] {
  const { title, url } = citationOf(passage, 1, [query])
  return {
    title,
    url,
    content: passage.text,
    heading_path: passage.headingPath,
    score: passage.score,
    version_label: passage.versionLabel ?? null,
  }
}

function textOf({ results }: SearchDocsResult): string {
  if (results.length === 0) return 'Nothing was found. Try other words, or fewer of them.'
  return results
    .map(({ title, url, heading_path: path, content }, place) => {
      const under = path.length === 0 ? '' : `\n${markdownPath(path)}`
      return `## ${place + 1}. ${markdownName(title)}\n${shownAddress(url)}${under}\n\n${content}`
    })
    .join('\n\n')
}

export const createSearchDocs = ({ search }: { search: PrivateSearch }) =>
  defineTool({
    names: ({ base }) => [searchToolName(base.name), 'search_docs'],
    title: 'Search the documentation',
    description: ({ base }) =>
      `Searches the knowledge base "${base.name}" and returns the best-matching pages, each with its best passage, title and address. Use it to find facts, and cite the addresses.`,
    input: SearchDocsInput,
    output: SearchDocsResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.search,
    countsAs: 'search',
    isOffered: () => true,
    run: async ({ query, limit }, { reader, signal }) => {
      const { base, includeRestricted } = reader
      const { passages } = await search.findPages({
        base,
        knowledgeBaseId: base.id,
        language: base.language ?? undefined,
        groupIds: base.groupIds,
        includeRestricted,
        query,
        limit,
        signal,
      })
      const results = passages.map((passage) => foundPage(passage, query))
      const result: SearchDocsResult = { results, count: results.length }
      return toolResult(textOf(result), result)
    },
  })
