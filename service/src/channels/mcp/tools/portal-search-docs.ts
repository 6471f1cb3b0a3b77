import { LIMITS } from '@citewell/contract/limits'
import { SearchPortalInput, SearchPortalResult } from '@citewell/contract/mcp-portal-tools'
import type { Search } from '../../../content/search/search.ts'
import { markdownName, markdownPath, shownAddress } from '../../../kernel/markdown-name.ts'
import { bestPages, narrowBases, searchBases, type AcrossBasesDb } from '../../across-bases/across-bases.ts'
import { toolResult } from '../tool-result.ts'
import { foundPage } from './search-docs.ts'
import { definePortalTool, LISTING_TOOLS, READS } from './tool.ts'

function textOf({ results }: SearchPortalResult): string {
  if (results.length === 0) return 'Nothing was found. Try other words, or fewer of them.'
  return results
    .map(({ title, url, heading_path: path, content, knowledge_base: base }, place) => {
      const under = markdownPath([base.name, ...path])
      return `## ${place + 1}. ${markdownName(title)}\n${shownAddress(url)}\n${under}\n\n${content}`
    })
    .join('\n\n')
}

export const createPortalSearchDocs = ({
  db,
  search,
}: {
  db: AcrossBasesDb
  search: Pick<Search, 'findPages'>
}) =>
  definePortalTool({
    names: () => ['search_docs'],
    title: 'Search the documentation',
    description: () =>
      'Searches all knowledge bases that the user lets you read, or those that you name, and returns the best-matching pages, each with its best passage, title, address and knowledge base. Use it to find facts, and cite the addresses.',
    input: SearchPortalInput,
    output: SearchPortalResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.search,
    countsAs: 'search',
    isOffered: () => true,
    run: async ({ query, limit, ...narrowing }, { reader, signal }) => {
      const bases = await narrowBases(db, reader.bases, narrowing, LISTING_TOOLS)
      const searched = await searchBases(search, bases, { query, limit, signal })
      const results = bestPages(searched, limit).map(({ base, passage }) => ({
        ...foundPage(passage, query),
        knowledge_base: { id: base.id, name: base.name },
      }))
      const result: SearchPortalResult = { results, count: results.length }
      return toolResult(textOf(result), result)
    },
  })
