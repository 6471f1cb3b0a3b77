import { LIMITS } from '@citewell/contract/limits'
import { ListKnowledgeBasesInput, ListKnowledgeBasesResult } from '@citewell/contract/mcp-portal-tools'
import { markdownName } from '../../../kernel/markdown-name.ts'
import { toolResult } from '../tool-result.ts'
import { definePortalTool, READS } from './tool.ts'

function textOf({ knowledge_bases: bases }: ListKnowledgeBasesResult): string {
  return bases
    .map(
      ({ id, name, description }) =>
        `- ${markdownName(name)} (${id})${description === null ? '' : `: ${markdownName(description)}`}`,
    )
    .join('\n')
}

export const createPortalListBases = () =>
  definePortalTool({
    names: () => ['list_knowledge_bases'],
    title: 'List the knowledge bases',
    description: () =>
      'Lists the knowledge bases that the user lets you read, with the ids that limit a search or a question to some of them.',
    input: ListKnowledgeBasesInput,
    output: ListKnowledgeBasesResult,
    annotations: READS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.other,
    countsAs: 'search',
    isOffered: () => true,
    run: (_input, { reader }) => {
      const result: ListKnowledgeBasesResult = {
        knowledge_bases: reader.bases.map(({ id, name, description, offersDocuments }) => ({
          id,
          name,
          description: description ?? null,
          has_documents_tool: offersDocuments,
        })),
      }
      return Promise.resolve(toolResult(textOf(result), result))
    },
  })
