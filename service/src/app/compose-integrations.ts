import type { KnowledgeBases } from '../accounts/knowledge-bases/knowledge-bases.ts'
import type { Answering } from '../answers/answering/answering.ts'
import type { Conversations } from '../answers/conversations/conversations.ts'
import { createAgentApps } from '../channels/agent-apps/agent-apps.ts'
import { createApprovals } from '../channels/approvals/approvals.ts'
import { createBots } from '../channels/bots/bots.ts'
import {
  createHelpdeskIntegrations,
  createTickets,
} from '../channels/helpdesk-integrations/helpdesk-integrations.ts'
import { createIntegrations } from '../channels/integrations/integrations.ts'
import { createSimulations } from '../channels/simulations/simulations.ts'
import { composeAnswering, type AnsweringParts } from './compose-answering.ts'
import type { ComposeInput, Platform } from './compose-platform.ts'

export interface IntegrationParts {
  storage: ComposeInput['storage']
  platform: Pick<Platform, 'events' | 'jobs' | 'sealer'>
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  now: () => Date
  newId: () => string
  answering: Answering
  /** What it is made of. */
  answeringParts: AnsweringParts
}

/** Bots, help desks and agents, with what is approved and simulated. */
export function composeIntegrations({
  storage,
  platform,
  knowledgeBases,
  now,
  newId,
  answering,
  answeringParts,
}: IntegrationParts) {
  const { db } = storage
  const { events, jobs, sealer } = platform
  const common = { db, knowledgeBases, newId, now }
  // Nobody asks in a simulation: no conversation is kept, and nobody is told of one.
  const conversations: Conversations = {
    ...answeringParts.conversations,
    storeTurn: () => Promise.resolve(undefined),
  }
  const unkept = composeAnswering({ ...answeringParts, conversations })

  const integrations = (kind: Parameters<typeof createIntegrations>[0]) =>
    createIntegrations(kind, { ...common, sealer })
  const tickets = createTickets({ db, answering, events, newId, now })
  return {
    bots: createBots(integrations('bot')),
    agentApps: createAgentApps(integrations('agent_app')),
    helpdeskIntegrations: createHelpdeskIntegrations(integrations('helpdesk_integration'), tickets),
    approvals: createApprovals({ ...common, events }),
    simulations: createSimulations({ ...common, answering: unkept, events, jobs }),
  }
}
