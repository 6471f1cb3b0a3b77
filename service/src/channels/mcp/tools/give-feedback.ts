import { LIMITS } from '@citewell/contract/limits'
import { GiveMcpFeedbackInput, GiveMcpFeedbackResult } from '@citewell/contract/mcp-tools'
import { insertMcpFeedback, type McpDb } from '../mcp-store.ts'
import { toolResult } from '../tool-result.ts'
import { defineTool } from './tool.ts'

export interface GiveFeedbackDeps {
  db: McpDb
  /** Personal data as the base masks it. */
  mask: (knowledgeBaseId: string, text: string) => Promise<string>
  newId: () => string
  now: () => Date
}

export const createGiveFeedback = ({ db, mask, newId, now }: GiveFeedbackDeps) =>
  defineTool({
    names: () => ['feedback'],
    title: 'Report a wrong answer or a gap',
    description: () =>
      'Tells the owners of the documentation that an answer was wrong, or that something is missing. Say what, and name the page if there is one. Do not send personal data.',
    input: GiveMcpFeedbackInput,
    output: GiveMcpFeedbackResult,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.other,
    countsAs: 'giveFeedback',
    isOffered: () => true,
    run: async ({ message, url }, { reader }) => {
      const recorded = await insertMcpFeedback(db, {
        knowledge_base_id: reader.base.id,
        id: newId(),
        message: await mask(reader.base.id, message),
        url: url === undefined ? null : await mask(reader.base.id, url),
        server_name: reader.serverName ?? null,
        client_key_id: reader.clientKeyId ?? null,
        user_ref: reader.userRef ?? null,
        created_at: now(),
      })
      const text = recorded
        ? 'Thank you. The owners will read it.'
        : 'This workspace keeps no data: nothing was recorded.'
      return toolResult(text, { recorded })
    },
  })
