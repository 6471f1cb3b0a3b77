import { clientKeyHooks } from '../accounts/client-keys/client-keys.ts'
import { grantHooks } from '../accounts/grants/grants.ts'
import type { BaseHooks } from '../accounts/knowledge-bases/knowledge-bases.ts'
import { conversationHooks } from '../answers/conversations/conversations.ts'
import { evaluationHooks } from '../answers/evaluation/evaluation.ts'
import { knowledgeGapHooks } from '../answers/knowledge-gaps/knowledge-gaps.ts'
import { mcpFeedbackHooks } from '../answers/mcp-feedback/mcp-feedback.ts'
import { approvalHooks } from '../channels/approvals/approvals.ts'
import { formDeflectorHooks } from '../channels/form-deflectors/form-deflectors.ts'
import { integrationHooks } from '../channels/integrations/integrations.ts'
import { mcpServerHooks } from '../channels/mcp-servers/mcp-servers.ts'
import { simulationHooks } from '../channels/simulations/simulations.ts'
import { webhookHooks } from '../channels/webhooks/webhooks.ts'
import { widgetHooks } from '../channels/widgets/widgets.ts'
import { customAnswerHooks } from '../content/custom-answers/custom-answers.ts'
import { documentHooks } from '../content/documents/documents.ts'
import { sourceConnectionHooks } from '../content/source-connections/source-connections.ts'
import { sourceGroupHooks } from '../content/source-groups/source-groups.ts'
import { sourceHooks } from '../content/sources/sources.ts'
import { syncHooks } from '../content/syncs/syncs.ts'

/** Of every room that stores something of a knowledge base, in the order in which they run. */
export const BASE_HOOKS: readonly BaseHooks[] = [
  grantHooks,
  sourceHooks,
  sourceConnectionHooks,
  documentHooks,
  customAnswerHooks,
  conversationHooks,
  clientKeyHooks,
  widgetHooks,
  mcpServerHooks,
  formDeflectorHooks,
  integrationHooks,
  sourceGroupHooks,
  syncHooks,
  mcpFeedbackHooks,
  webhookHooks,
  approvalHooks,
  simulationHooks,
  knowledgeGapHooks,
  evaluationHooks,
]
