import type { AgentApp, AgentAppChange, NewAgentApp } from '@citewell/contract/agent-apps'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { presentIntegration, type IntegrationRow, type Integrations } from '../integrations/integrations.ts'

/** Agents that act with a knowledge base; what they want to say or do may need an approval. */
export function createAgentApps(integrations: Integrations) {
  return {
    create: async (caller: Caller, knowledgeBaseId: string, given: NewAgentApp): Promise<AgentApp> =>
      present((await integrations.create(caller, knowledgeBaseId, given)).row),
    list: async (caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<AgentApp[]> =>
      (await integrations.list(caller, knowledgeBaseId, page)).rows.map(present),
    get: async (caller: Caller, id: string): Promise<AgentApp> =>
      present((await integrations.get(caller, id)).row),
    change: async (caller: Caller, id: string, changes: AgentAppChange): Promise<AgentApp> =>
      present((await integrations.change(caller, id, changes)).row),
    remove: (caller: Caller, id: string): Promise<void> => integrations.remove(caller, id),
  }
}

export type AgentApps = ReturnType<typeof createAgentApps>

const present = (row: IntegrationRow): AgentApp => ({
  ...presentIntegration(row),
  description: row.description,
})
