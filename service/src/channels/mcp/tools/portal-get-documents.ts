import { LIMITS } from '@citewell/contract/limits'
import { GetPortalDocumentsResult } from '@citewell/contract/mcp-portal-tools'
import { GetDocumentsInput } from '@citewell/contract/mcp-tools'
import { markdownName, shownAddress } from '../../../kernel/markdown-name.ts'
import type { Addresses } from '../../../content/addresses/addresses.ts'
import type { McpDb } from '../mcp-store.ts'
import { toolResult } from '../tool-result.ts'
import { readWholePages } from './get-documents.ts'
import { definePortalTool, READS } from './tool.ts'

function textOf({ documents, not_found: missing }: GetPortalDocumentsResult): string {
  const pages = documents.map(
    ({ title, url, content, knowledge_base: base }) =>
      `# ${markdownName(title)}\n${shownAddress(url)}\n${markdownName(base.name)}\n\n${content}`,
  )
  const notes = missing.map(
    (url) => `${shownAddress(url)} is not a page that can be read as a whole here. Search for it instead.`,
  )
  return [...pages, ...notes].join('\n\n---\n\n')
}

export const createPortalGetDocuments = (deps: { db: McpDb; addresses: Addresses }) =>
  definePortalTool({
    names: () => ['get_documents'],
    title: 'Read whole pages',
    description: ({ bases }) => {
      const names = bases.filter(({ offersDocuments }) => offersDocuments).map(({ name }) => `"${name}"`)
      return `Returns whole pages of ${names.join(', ')} by the addresses that a search returned: at most ${LIMITS.mcp.documents}, each up to ${LIMITS.mcp.documentCharacters} characters. It reads nothing else on the web.`
    },
    input: GetDocumentsInput,
    output: GetPortalDocumentsResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.other,
    countsAs: 'search',
    isOffered: ({ bases }) => bases.some(({ offersDocuments }) => offersDocuments),
    run: async ({ urls }, { reader }) => {
      const missing = new Set(urls.map((url) => url.trim()))
      const asked = [...missing]
      const documents: GetPortalDocumentsResult['documents'] = []
      for (const { id, name, groupIds, offersDocuments } of reader.bases) {
        if (!offersDocuments || missing.size === 0) continue
        const scope = { knowledgeBaseId: id, groupIds, includeRestricted: true }
        // An address that two bases have is read from the first only, because the number of pages per call is limited.
        const read = await readWholePages(deps, scope, [...missing])
        for (const page of read.documents) documents.push({ ...page, knowledge_base: { id, name } })
        missing.clear()
        for (const address of read.not_found) missing.add(address)
      }
      const result: GetPortalDocumentsResult = {
        documents,
        not_found: asked.filter((url) => missing.has(url)),
      }
      return toolResult(textOf(result), result)
    },
  })
