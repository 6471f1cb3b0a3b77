import type {
  HelpdeskIntegration,
  HelpdeskIntegrationChange,
  NewHelpdeskIntegration,
  TicketMessage,
  TicketOutcome,
} from '@citewell/contract/helpdesk-integrations'
import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { presentIntegration, type IntegrationRow, type Integrations } from '../integrations/integrations.ts'
import type { Tickets } from './tickets.ts'

export { answerTicket, type TicketAnswer } from './answer-ticket.ts'
export { createTickets } from './tickets.ts'

/** Internal bases are excluded: the customers who are answered are anonymous. */
function requireExternal(base: KnowledgeBaseRow): void {
  if (base.type === 'internal') {
    throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
      because: 'An internal knowledge base does not answer customers.',
    })
  }
}

/** Help-desk automation: its records, and the messages of customers. */
export function createHelpdeskIntegrations(integrations: Integrations, tickets: Pick<Tickets, 'take'>) {
  /** An integration that may answer now. @throws Refusal CONFLICT if it is disabled, KNOWLEDGE_BASE_INTERNAL */
  async function openAnswering(caller: Caller, id: string) {
    const opened = await integrations.open(caller, id, { permission: 'config', active: true })
    requireExternal(opened.base)
    if (!opened.row.enabled) throw new Refusal('CONFLICT', { because: 'This integration is switched off.' })
    return opened
  }

  return {
    create: async (caller: Caller, knowledgeBaseId: string, given: NewHelpdeskIntegration) =>
      present((await integrations.create(caller, knowledgeBaseId, given, requireExternal)).row),
    list: async (caller: Caller, knowledgeBaseId: string, page: PageRequest) =>
      (await integrations.list(caller, knowledgeBaseId, page)).rows.map(present),
    get: async (caller: Caller, id: string) => present((await integrations.get(caller, id)).row),
    change: async (caller: Caller, id: string, changes: HelpdeskIntegrationChange) =>
      present((await integrations.change(caller, id, changes)).row),
    remove: (caller: Caller, id: string): Promise<void> => integrations.remove(caller, id),
    takeMessage: async (
      caller: Caller,
      id: string,
      message: TicketMessage,
      signal: AbortSignal,
    ): Promise<TicketOutcome> => await tickets.take(await openAnswering(caller, id), message, signal),
  }
}

export type HelpdeskIntegrations = ReturnType<typeof createHelpdeskIntegrations>

function present(row: IntegrationRow): HelpdeskIntegration {
  return {
    ...presentIntegration(row),
    // The column holds only names of the contract.
    platform: row.platform as HelpdeskIntegration['platform'],
    handles: row.handles ?? 'tickets',
  }
}
