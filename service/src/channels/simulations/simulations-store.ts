import type { Selectable } from 'kysely'
import type { SimulationsTable, SimulationTicketsTable } from './simulations-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'

/** Includes the tables of the webhooks, because the end records its webhook event in the same transaction. */
export type SimulationsDb = Db<
  | 'simulations'
  | 'simulation_tickets'
  | 'integrations'
  | 'knowledge_bases'
  | 'workspaces'
  | 'webhook_triggers'
  | 'webhook_deliveries'
>

export type SimulationTicketRow = Selectable<SimulationTicketsTable>

export interface SimulationRow extends SimulationsTable {
  /** Tickets with an outcome other than a failure. */
  completed: number
  deflected: number
}

export async function insertSimulation(
  db: SimulationsDb,
  row: SimulationsTable,
  tickets: readonly { ref: string | null; subject: string | null; body: string }[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('simulations').values(row).execute()
    await transaction
      .insertInto('simulation_tickets')
      .values(
        tickets.map((ticket, ordinal) => ({
          ...ticket,
          knowledge_base_id: row.knowledge_base_id,
          simulation_id: row.id,
          ordinal,
          outcome: null,
          confidence: null,
          answer: null,
          citations: '[]',
        })),
      )
      .execute()
  })
}

const selectCounted = (db: SimulationsDb) =>
  db
    .selectFrom('simulations')
    .selectAll('simulations')
    .select((row) => {
      const tickets = row
        .selectFrom('simulation_tickets')
        .whereRef('simulation_tickets.knowledge_base_id', '=', 'simulations.knowledge_base_id')
        .whereRef('simulation_tickets.simulation_id', '=', 'simulations.id')
        .select((ticket) => ticket.fn.countAll<string>().as('count'))
      return [
        tickets.where('outcome', 'in', ['deflected', 'low_confidence']).as('completed'),
        tickets.where('outcome', '=', 'deflected').as('deflected'),
      ]
    })

const counted = (
  row: SimulationsTable & { completed: string | null; deflected: string | null },
): SimulationRow => ({ ...row, completed: Number(row.completed), deflected: Number(row.deflected) })

/** A simulation by its id only: the caller must check access to its base. */
export async function findSimulation(db: SimulationsDb, id: string): Promise<SimulationRow | undefined> {
  const row = await selectCounted(db).where('simulations.id', '=', id).executeTakeFirst()
  return row && counted(row)
}

/** Newest first. */
export async function listSimulations(
  db: SimulationsDb,
  of: PageRequest & { knowledgeBaseId: string },
): Promise<SimulationRow[]> {
  const rows = await selectCounted(db)
    .where('simulations.knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('simulations.id', '<', of.after ?? ''))
    .orderBy('simulations.id', 'desc')
    .limit(of.limit)
    .execute()
  return rows.map(counted)
}

export async function listTickets(
  db: SimulationsDb,
  knowledgeBaseId: string,
  simulationId: string,
): Promise<SimulationTicketRow[]> {
  return await db
    .selectFrom('simulation_tickets')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('simulation_id', '=', simulationId)
    .orderBy('ordinal')
    .execute()
}

/** Cancels a simulation that has not ended. */
export async function cancelSimulation(
  db: SimulationsDb,
  knowledgeBaseId: string,
  id: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('simulations')
    .set({ status: 'cancelled', finished_at: now, updated_at: now, lease: null })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

export async function deleteSimulation(
  db: SimulationsDb,
  knowledgeBaseId: string,
  id: string,
): Promise<void> {
  await db
    .deleteFrom('simulations')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}

/** Whether the workspace has zero retention. */
export async function hasZeroRetention(db: SimulationsDb, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('zero_data_retention')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.zero_data_retention ?? true
}
