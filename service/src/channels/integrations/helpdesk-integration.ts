import type { HelpdeskIntegration } from '@citewell/contract/integrations'
import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { presentIntegration } from './present-integration.ts'

/** Internal bases are excluded: the customers who are answered are anonymous. */
export function requireExternal(base: KnowledgeBaseRow): void {
  if (base.type === 'internal')
    throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
      because: 'An internal knowledge base does not answer customers.',
    })
}

/** Help-desk automation. The room `tickets` handles the messages of customers. */
export const HELPDESK_INTEGRATION: IntegrationKind<HelpdeskIntegration> = {
  kind: 'helpdesk_integration',
  noun: 'help-desk integration',
  requireAllowedIn: requireExternal,
  present: (row) => ({
    ...presentIntegration(row),
    // The column holds only names of the contract.
    platform: row.platform as HelpdeskIntegration['platform'],
    handles: row.handles ?? 'tickets',
  }),
}
