import { clientKeyHooks } from '../accounts/client-keys/client-keys.ts'
import { grantHooks } from '../accounts/grants/grants.ts'
import type { BaseHooks } from '../accounts/knowledge-bases/knowledge-bases.ts'
import { conversationHooks } from '../answers/conversations/conversations.ts'
import { formDeflectorHooks } from '../channels/form-deflectors/form-deflectors.ts'
import { integrationHooks } from '../channels/integrations/integrations.ts'
import { mcpServerHooks } from '../channels/mcp-servers/mcp-servers.ts'
import { widgetHooks } from '../channels/widgets/widgets.ts'
import { customAnswerHooks } from '../content/custom-answers/custom-answers.ts'
import { documentHooks } from '../content/documents/documents.ts'
import { sourceHooks } from '../content/sources/sources.ts'

/** Of every room that stores something of a knowledge base, in the order in which they run. */
export const BASE_HOOKS: readonly BaseHooks[] = [
  grantHooks,
  sourceHooks,
  documentHooks,
  customAnswerHooks,
  conversationHooks,
  clientKeyHooks,
  widgetHooks,
  mcpServerHooks,
  formDeflectorHooks,
  integrationHooks,
]
