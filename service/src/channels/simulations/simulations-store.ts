import { sql, type Insertable, type Selectable } from 'kysely'
import type { TicketReview } from '@citewell/contract/simulations'
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
  | 'documents'
  | 'sources'
  | 'messages'
>

export type SimulationTicketRow = Selectable<SimulationTicketsTable>

export interface SimulationRow extends Selectable<SimulationsTable> {
  /** Tickets with an outcome other than a failure. */
  completed: number
  deflected: number
}

export type NewTicketRow = Pick<
  SimulationTicketRow,
  'ref' | 'subject' | 'body' | 'asked_at' | 'tags' | 'language' | 'agent_reply'
>

/** A statement takes so many parameters and no more. */
const ROWS_AT_ONCE = 500

export async function insertSimulation(
  db: SimulationsDb,
  row: Insertable<SimulationsTable>,
  tickets: readonly NewTicketRow[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('simulations').values(row).execute()
    for (let first = 0; first < tickets.length; first += ROWS_AT_ONCE) {
      const values = tickets.slice(first, first + ROWS_AT_ONCE).map((ticket, at) => ({
        ...ticket,
        tags: JSON.stringify(ticket.tags),
        knowledge_base_id: row.knowledge_base_id,
        simulation_id: row.id,
        ordinal: first + at,
        outcome: null,
        confidence: null,
        answer: null,
        citations: '[]',
        like_agent: null,
        review: null,
        own_documents: 0,
      }))
      await transaction.insertInto('simulation_tickets').values(values).execute()
    }
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
  row: Selectable<SimulationsTable> & { completed: string | null; deflected: string | null },
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

interface OneSimulation {
  knowledgeBaseId: string
  id: string
}

export interface TicketsAsked {
  limit: number
  /** The ordinal of the last one that was listed. */
  after?: number | undefined
  outcome?: 'deflected' | 'low_confidence' | 'answer_failed' | undefined
}

/** In the order in which they were sent. */
export async function listTickets(
  db: SimulationsDb,
  { knowledgeBaseId, id }: OneSimulation,
  { limit, after = -1, outcome }: TicketsAsked,
): Promise<SimulationTicketRow[]> {
  return await db
    .selectFrom('simulation_tickets')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('simulation_id', '=', id)
    .where('ordinal', '>', after)
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? null))
    .orderBy('ordinal')
    .limit(limit)
    .execute()
}

/** Answered tickets without a review, in an order by chance that is the same each time: reviewed ones stand for all. */
export async function listTicketsToReview(
  db: SimulationsDb,
  { knowledgeBaseId, id }: OneSimulation,
  limit: number,
): Promise<SimulationTicketRow[]> {
  return await db
    .selectFrom('simulation_tickets')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('simulation_id', '=', id)
    .where('outcome', '=', 'deflected')
    .where('review', 'is', null)
    .orderBy(sql`md5(simulation_id::text || ordinal::text)`)
    .limit(limit)
    .execute()
}

/** Undefined if the simulation has no such ticket, or it was not answered. */
export async function saveReview(
  db: SimulationsDb,
  { knowledgeBaseId, id }: OneSimulation,
  ordinal: number,
  review: TicketReview | null,
): Promise<SimulationTicketRow | undefined> {
  return await db
    .updateTable('simulation_tickets')
    .set({ review })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('simulation_id', '=', id)
    .where('ordinal', '=', ordinal)
    .where('outcome', '=', 'deflected')
    .returningAll()
    .executeTakeFirst()
}
