import { clientKeyHooks } from '../accounts/client-keys/client-keys.ts'
import { grantHooks } from '../accounts/grants/grants.ts'
import type { BaseHooks } from '../accounts/knowledge-bases/knowledge-bases.ts'
import { conversationHooks } from '../answers/conversations/conversations.ts'
import { formDeflectorHooks } from '../channels/form-deflectors/form-deflectors.ts'
import { integrationHooks } from '../channels/integrations/integrations.ts'
import { mcpServerHooks } from '../channels/mcp-servers/mcp-servers.ts'
import { widgetHooks } from '../channels/widgets/widgets.ts'
import { ownedCustomAnswers } from '../content/custom-answers/custom-answers.ts'
import { ownedDocuments, restrictDocuments } from '../content/documents/documents.ts'
import { ownedSources } from '../content/sources/sources.ts'
import { cancelSyncsOfBase } from '../content/syncs/syncs.ts'

/** Of every room that stores something of a knowledge base, in the order in which they run. */
export const BASE_HOOKS: readonly BaseHooks[] = [
  grantHooks,
  { owned: [ownedSources], onArchived: cancelSyncsOfBase },
  {
    owned: [ownedDocuments],
    onTypeChanged: async (transaction, { base, now }) => {
      await restrictDocuments(transaction, base.id, now)
      return {}
    },
  },
  { owned: [ownedCustomAnswers] },
  conversationHooks,
  clientKeyHooks,
  widgetHooks,
  mcpServerHooks,
  formDeflectorHooks,
  integrationHooks,
]
