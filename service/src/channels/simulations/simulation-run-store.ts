import { findKnowledgeBase, type KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { SimulationReport } from '@citewell/contract/simulation-report'
import type { SimulationsDb, SimulationTicketRow } from './simulations-store.ts'

/** A simulation that one worker runs. A worker that has lost the lease changes nothing. */
export interface LeasedSimulation {
  knowledgeBaseId: string
  id: string
  lease: string
}

/** How a simulation ended, and what its report tells of that moment. */
export interface SimulationEnd {
  status: 'succeeded' | 'failed'
  error: string | null
  told?: Pick<SimulationReport, 'gaps' | 'base'>
}

/** The next tickets without an outcome, and the current state of the base; undefined if all have one. */
export async function findNextTickets(
  db: SimulationsDb,
  { knowledgeBaseId, id }: LeasedSimulation,
  most: number,
): Promise<{ tickets: SimulationTicketRow[]; base: KnowledgeBaseRow } | undefined> {
  const tickets = await db
    .selectFrom('simulation_tickets')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('simulation_id', '=', id)
    .where('outcome', 'is', null)
    .orderBy('ordinal')
    .limit(most)
    .execute()
  const base = await findKnowledgeBase(db, knowledgeBaseId)
  return tickets.length === 0 || base === undefined ? undefined : { tickets, base }
}

/** Heartbeat; returns whether the lease is still held. A cancelled simulation has none. */
export async function renewLease(
  db: SimulationsDb,
  { knowledgeBaseId, id, lease }: LeasedSimulation,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('simulations')
    .set({ heartbeat_at: now, updated_at: now })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function saveOutcome(
  transaction: SimulationsDb,
  { knowledgeBaseId, id }: LeasedSimulation,
  ordinal: number,
  outcome: Pick<
    SimulationTicketRow,
    'outcome' | 'confidence' | 'answer' | 'citations' | 'like_agent' | 'own_documents'
  >,
): Promise<void> {
  await transaction
    .updateTable('simulation_tickets')
    .set({ ...outcome, citations: JSON.stringify(outcome.citations) })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('simulation_id', '=', id)
    .where('ordinal', '=', ordinal)
    .execute()
}

/** Ends a leased simulation, or puts it back into the queue. False if the lease was lost. */
export async function releaseSimulation(
  transaction: SimulationsDb,
  { knowledgeBaseId, id, lease }: LeasedSimulation,
  { status, error, told }: SimulationEnd | { status: 'queued'; error: null; told?: undefined },
  now: Date,
): Promise<boolean> {
  const result = await transaction
    .updateTable('simulations')
    .set({
      status,
      error,
      ...(told !== undefined && {
        gaps: JSON.stringify(told.gaps),
        base_state: JSON.stringify(told.base),
      }),
      lease: null,
      finished_at: status === 'queued' ? null : now,
      updated_at: now,
    })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
