import { LIMITS } from '@citewell/contract/limits'
import { GiveMcpFeedbackInput, GiveMcpFeedbackResult } from '@citewell/contract/mcp-tools'
import type { McpFeedback } from '../../../answers/mcp-feedback/mcp-feedback.ts'
import { toolResult } from '../tool-result.ts'
import { defineTool } from './tool.ts'

export const createGiveFeedback = ({ reports }: { reports: Pick<McpFeedback, 'keep'> }) =>
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
      const recorded = await reports.keep({
        knowledgeBaseId: reader.base.id,
        message,
        url,
        serverName: reader.serverName,
        clientKeyId: reader.clientKeyId,
        userRef: reader.userRef,
      })
      const text = recorded
        ? 'Thank you. The owners will read it.'
        : 'This workspace stores no data: nothing was recorded.'
      return toolResult(text, { recorded })
    },
  })
