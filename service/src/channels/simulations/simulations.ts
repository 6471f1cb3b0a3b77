import type { NewSimulation } from '@citewell/contract/simulations'
import type { PurgeableRecords } from '../../answers/retention/retention.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Job, Jobs } from '../../platform/jobs/jobs.ts'
import { hasIntegration } from '../integrations/integrations.ts'
import { runSimulation, type RunSimulationDeps } from './run-simulation.ts'
import { requeueAbandoned } from './simulation-run-store.ts'
import {
  cancelSimulation,
  deleteSimulation,
  findSimulation,
  insertSimulation,
  hasZeroRetention,
  listSimulations,
  listTickets,
  type SimulationRow,
  type SimulationTicketRow,
} from './simulations-store.ts'

/** Simulations contain text of customers: they expire with the conversations of their workspace. */
export const keptSimulations: PurgeableRecords = {
  counts: 'simulations',
  table: 'simulations',
  quietSince: 'updated_at',
  reader: undefined,
}

export const simulationHooks: BaseHooks = {
  records: [{ noun: 'simulations', table: 'simulations', name: 'name' }],
}

export interface SimulationsDeps extends RunSimulationDeps {
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  events: Pick<Events, 'announce'>
  jobs: Pick<Jobs, 'enqueue'>
}

const RUN_JOB = 'run-simulation'

/** Longer than one ticket takes with any model; a worker without a heartbeat for this time has died. */
export const SIMULATION_ABANDONED_AFTER_SECONDS = 180

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such simulation.' })

/** Answers past tickets in the background, to measure how many would have been answered. */
export function createSimulations(deps: SimulationsDeps) {
  const { db, knowledgeBases, events, jobs, newId, now } = deps

  /** @throws Refusal CONFLICT with zero retention, KNOWLEDGE_BASE_INTERNAL, BAD_REQUEST for an unknown integration */
  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewSimulation,
  ): Promise<SimulationRow> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    if (base.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
    if (await hasZeroRetention(db, base.workspace_id)) {
      throw new Refusal('CONFLICT', {
        because: 'Simulations store their answers, so they are not available with zero data retention.',
      })
    }
    const helpdesk = { knowledgeBaseId, id: given.integration_id, kind: 'helpdesk_integration' as const }
    if (!(await hasIntegration(db, helpdesk))) {
      const message = 'is not a help-desk integration of this knowledge base'
      throw new Refusal('BAD_REQUEST', { details: [{ path: 'integration_id', message }] })
    }
    const row = {
      knowledge_base_id: knowledgeBaseId,
      id: newId(),
      integration_id: given.integration_id,
      name: given.name,
      status: 'queued' as const,
      total: given.tickets.length,
      error: null,
      lease: null,
      heartbeat_at: null,
      started_at: null,
      finished_at: null,
      created_at: now(),
      updated_at: now(),
    }
    await insertSimulation(db, row, given.tickets)
    await jobs.enqueue(RUN_JOB, { knowledgeBaseId, simulationId: row.id })
    return { ...row, completed: 0, deflected: 0 }
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<SimulationRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listSimulations(db, { ...page, knowledgeBaseId })
  }

  async function open(caller: Caller, id: string, permission: 'member' | 'config'): Promise<SimulationRow> {
    const row = await findSimulation(db, id)
    if (row === undefined) throw notFound()
    await knowledgeBases.open(caller, row.knowledge_base_id, permission)
    return row
  }

  async function get(
    caller: Caller,
    id: string,
  ): Promise<{ row: SimulationRow; tickets: SimulationTicketRow[] }> {
    const row = await open(caller, id, 'member')
    return { row, tickets: await listTickets(db, row.knowledge_base_id, id) }
  }

  async function cancel(caller: Caller, id: string): Promise<SimulationRow> {
    const { knowledge_base_id: knowledgeBaseId } = await open(caller, id, 'config')
    await cancelSimulation(db, knowledgeBaseId, id, now())
    return await open(caller, id, 'config')
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const { knowledge_base_id: knowledgeBaseId } = await open(caller, id, 'config')
    await deleteSimulation(db, knowledgeBaseId, id)
  }

  /** Requeues simulations that a crash interrupted; pass 0 if no other process can be at work. */
  async function recover(abandonedAfterSeconds: number): Promise<void> {
    const before = new Date(now().getTime() - abandonedAfterSeconds * 1_000)
    for (const waiting of await requeueAbandoned(db, before, now())) await jobs.enqueue(RUN_JOB, waiting)
  }

  const simulationJobs: Job[] = [
    {
      name: RUN_JOB,
      concurrency: 1,
      handle: async (data, signal) => {
        const knowledgeBaseId = data['knowledgeBaseId'] ?? ''
        const of = { knowledgeBaseId, id: data['simulationId'] ?? '' }
        try {
          await runSimulation(deps, of, signal)
        } finally {
          events.announce('webhooks.recorded', { knowledgeBaseId })
        }
      },
    },
  ]

  return { create, list, get, cancel, remove, recover, jobs: simulationJobs }
}

export type Simulations = ReturnType<typeof createSimulations>
