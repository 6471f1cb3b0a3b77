import { LIMITS } from '@citewell/contract/limits'
import { ListPortalSourcesResult } from '@citewell/contract/mcp-portal-tools'
import { ListSourcesInput } from '@citewell/contract/mcp-tools'
import { markdownName } from '../../../kernel/markdown-name.ts'
import { listReadableSources, type SourcesDb } from '../mcp-store.ts'
import { toolResult } from '../tool-result.ts'
import { definePortalTool, READS } from './tool.ts'

function textOf({ sources }: ListPortalSourcesResult): string {
  if (sources.length === 0) return 'There is nothing to read here yet.'
  return [...Map.groupBy(sources, ({ knowledge_base: base }) => base.id).values()]
    .map((ofBase) => {
      const lines = ofBase.map(({ id, name, version_label: version, document_count: count, group }) => {
        const label = version === null ? '' : `, version ${markdownName(version)}`
        const inGroup = group === null ? '' : `, in the group ${markdownName(group.name)} (${group.id})`
        return `- ${markdownName(name)} (${id})${label}: ${count} ${count === 1 ? 'page' : 'pages'}${inGroup}`
      })
      return [`${markdownName(ofBase[0]?.knowledge_base.name ?? '')}:`, ...lines].join('\n')
    })
    .join('\n\n')
}

export const createPortalListSources = ({ db }: { db: SourcesDb }) =>
  definePortalTool({
    names: () => ['list_sources'],
    title: 'List the sources',
    description: () =>
      'Lists the sources and source groups of the knowledge bases, with their ids, versions and numbers of pages.',
    input: ListSourcesInput,
    output: ListPortalSourcesResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.other,
    countsAs: 'search',
    isOffered: () => true,
    run: async (_input, { reader }) => {
      const nameOf = new Map(reader.bases.map(({ id, name }) => [id, name]))
      const rows = await listReadableSources(db, {
        knowledgeBaseIds: [...nameOf.keys()],
        groupIds: undefined,
        includeRestricted: true,
      })
      const result: ListPortalSourcesResult = {
        sources: rows.map(({ knowledge_base_id: baseId, group_id: groupId, group_name: group, ...row }) => ({
          ...row,
          document_count: Number(row.document_count),
          knowledge_base: { id: baseId, name: nameOf.get(baseId) ?? '' },
          group: groupId === null || group === null ? null : { id: groupId, name: group },
        })),
      }
      return toolResult(textOf(result), result)
    },
  })
