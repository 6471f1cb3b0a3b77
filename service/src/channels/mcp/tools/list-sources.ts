import { LIMITS } from '@citewell/contract/limits'
import { ListSourcesInput, ListSourcesResult } from '@citewell/contract/mcp-tools'
import { markdownName } from '../../../kernel/markdown-name.ts'
import { listReadableSources, type SourcesDb } from '../mcp-store.ts'
import { toolResult } from '../tool-result.ts'
import { defineTool, READS } from './tool.ts'

function textOf({ sources }: ListSourcesResult): string {
  if (sources.length === 0) return 'There is nothing to read here yet.'
  return sources
    .map(({ name, type, version_label: version, document_count: count }) => {
      const label = version === null ? '' : `, version ${markdownName(version)}`
      return `- ${markdownName(name)} (${type}${label}): ${count} ${count === 1 ? 'page' : 'pages'}`
    })
    .join('\n')
}

export const createListSources = ({ db }: { db: SourcesDb }) =>
  defineTool({
    names: () => ['list_sources'],
    title: 'List the sources',
    description: ({ base }) =>
      `Lists the sources of the knowledge base "${base.name}", with their versions and numbers of pages.`,
    input: ListSourcesInput,
    output: ListSourcesResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.other,
    countsAs: 'search',
    isOffered: () => true,
    run: async (_input, { reader: { base, includeRestricted } }) => {
      const rows = await listReadableSources(db, {
        knowledgeBaseIds: [base.id],
        groupIds: base.groupIds,
        includeRestricted,
      })
      const result: ListSourcesResult = {
        sources: rows.map(({ id, name, type, version_label, document_count: count }) => ({
          id,
          name,
          type,
          version_label,
          document_count: Number(count),
        })),
      }
      return toolResult(textOf(result), result)
    },
  })
