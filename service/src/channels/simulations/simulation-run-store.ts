import { findKnowledgeBase, type KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { SimulationReport } from '@citewell/contract/simulation-report'
import type { LeasedRun } from '../../platform/storage/leased-runs.ts'
import type { SimulationsDb, SimulationTicketRow } from './simulations-store.ts'

/** The next tickets without an outcome, and the current state of the base; undefined if all have one. */
export async function findNextTickets(
  db: SimulationsDb,
  { knowledgeBaseId, id }: LeasedRun,
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

export async function saveOutcome(
  transaction: SimulationsDb,
  { knowledgeBaseId, id }: LeasedRun,
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

/** Keeps what the report of a simulation tells of its end. */
export async function saveTold(
  transaction: SimulationsDb,
  { knowledgeBaseId, id }: LeasedRun,
  told: Pick<SimulationReport, 'gaps' | 'base'>,
): Promise<void> {
  await transaction
    .updateTable('simulations')
    .set({ gaps: JSON.stringify(told.gaps), base_state: JSON.stringify(told.base) })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}
