import { LIMITS } from '@citewell/contract/limits'
import { GetDocumentsInput, GetDocumentsResult } from '@citewell/contract/mcp-tools'
import { markdownName, shownAddress } from '../../../kernel/markdown-name.ts'
import { namedAmong, type Addresses } from '../../../content/addresses/addresses.ts'
import { readPagesAt, type McpDb, type McpScope } from '../mcp-store.ts'
import { toolResult } from '../tool-result.ts'
import { wholePage } from '../whole-page.ts'
import { defineTool, READS } from './tool.ts'

/** The pages at these addresses, each truncated to its limit, and the addresses without a page. */
export async function readWholePages(
  { db, addresses }: { db: McpDb; addresses: Addresses },
  scope: McpScope,
  asked: readonly string[],
): Promise<GetDocumentsResult> {
  const named = asked.map((address) => ({ address, page: addresses.parseAddress(address) }))
  const passages = await readPagesAt(
    db,
    scope,
    named.map(({ page }) => page),
    LIMITS.mcp.documentCharacters,
  )
  const pages = [...Map.groupBy(passages, ({ id }) => id).values()].flatMap((ofPage) => {
    const [first] = ofPage
    return first === undefined ? [] : [{ ...first, externalId: first.external_id, passages: ofPage }]
  })
  const meant = named.map(({ address, page }) => ({ address, pages: namedAmong(page, pages) }))
  const read = new Set(meant.flatMap((one) => one.pages))
  const documents = pages
    .filter((page) => read.has(page))
    .map(({ id, url, title, passages: ofPage }) => {
      const { content, isTruncated } = wholePage(ofPage, LIMITS.mcp.documentCharacters)
      return { url: addresses.addressOf({ url, documentId: id }), title, content, is_truncated: isTruncated }
    })
  const missing = meant.filter((one) => one.pages.length === 0).map(({ address }) => address)
  return { documents, not_found: missing }
}

function textOf({ documents, not_found: missing }: GetDocumentsResult): string {
  const pages = documents.map(
    ({ title, url, content }) => `# ${markdownName(title)}\n${shownAddress(url)}\n\n${content}`,
  )
  const notes = missing.map(
    (url) => `${shownAddress(url)} is not a page of this documentation. Search for it instead.`,
  )
  return [...pages, ...notes].join('\n\n---\n\n')
}

export const createGetDocuments = (deps: { db: McpDb; addresses: Addresses }) =>
  defineTool({
    names: () => ['get_documents'],
    title: 'Read whole pages',
    description: () =>
      `Returns whole pages of this documentation by the addresses that a search returned: at most ${LIMITS.mcp.documents}, each up to ${LIMITS.mcp.documentCharacters} characters. It reads nothing else on the web.`,
    input: GetDocumentsInput,
    output: GetDocumentsResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.other,
    countsAs: 'search',
    isOffered: ({ base }) => base.offersDocuments,
    run: async ({ urls }, { reader: { base, includeRestricted } }) => {
      const asked = [...new Set(urls.map((url) => url.trim()))]
      const scope = { knowledgeBaseId: base.id, groupIds: base.groupIds, includeRestricted }
      const result = await readWholePages(deps, scope, asked)
      return toolResult(textOf(result), result)
    },
  })
