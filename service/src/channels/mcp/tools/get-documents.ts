import { LIMITS } from '@citewell/contract/limits'
import { GetDocumentsInput, GetDocumentsResult } from '@citewell/contract/mcp-tools'
import { markdownName, shownAddress } from '../../../kernel/markdown-name.ts'
import { readPagesAt, type McpDb, type McpScope } from '../mcp-store.ts'
import { toolResult } from '../tool-result.ts'
import { wholePage } from '../whole-page.ts'
import { defineTool, READS } from './tool.ts'

/** Of a section's address, the page's: searches and citations give the former. */
export const pageAddress = (url: string) => url.trim().replace(/#.*$/su, '')

/** The pages at these addresses, each cut to its limit; what is none is left out. */
export async function readWholePages(
  db: McpDb,
  scope: McpScope,
  addresses: readonly string[],
): Promise<GetDocumentsResult['documents']> {
  const passages = await readPagesAt(db, scope, addresses)
  return [...Map.groupBy(passages, ({ id }) => id).values()].flatMap((ofPage) => {
    const [first] = ofPage
    if (first === undefined) return []
    const { content, isTruncated } = wholePage(ofPage, LIMITS.mcp.documentCharacters)
    return [{ url: first.url, title: first.title, content, is_truncated: isTruncated }]
  })
}

function textOf({ documents, not_found: missing }: GetDocumentsResult): string {
  const pages = documents.map(
    ({ title, url, content }) => `# ${markdownName(title)}\n${shownAddress(url)}\n\n${content}`,
  )
  const notes = missing.map(
    (url) => `${shownAddress(url)} is no page of this documentation. Search for it instead.`,
  )
  return [...pages, ...notes].join('\n\n---\n\n')
}

export const createGetDocuments = ({ db }: { db: McpDb }) =>
  defineTool({
    names: () => ['get_documents'],
    title: 'Read whole pages',
    description: () =>
      `Returns whole pages of this documentation by their addresses, as a search gave them: at most ${LIMITS.mcp.documents}, each up to ${LIMITS.mcp.documentCharacters} characters. Nothing else on the web is read.`,
    input: GetDocumentsInput,
    output: GetDocumentsResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.other,
    countsAs: 'search',
    isOffered: ({ base }) => base.offersDocuments,
    run: async ({ urls }, { reader: { base, includeRestricted } }) => {
      const asked = [...new Set(urls.map(pageAddress))]
      const scope = { knowledgeBaseId: base.id, groupIds: base.groupIds, includeRestricted }
      const documents = await readWholePages(db, scope, asked)
      const found = new Set(documents.map(({ url }) => url))
      const result: GetDocumentsResult = { documents, not_found: asked.filter((url) => !found.has(url)) }
      return toolResult(textOf(result), result)
    },
  })
