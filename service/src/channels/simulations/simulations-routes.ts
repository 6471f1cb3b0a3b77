import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SimulatedTicket, Simulation } from '@citewell/contract/simulations'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { storedCitations } from '../../answers/citations/citations.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { SimulationRow, SimulationTicketRow } from './simulations-store.ts'
import type { Simulations } from './simulations.ts'
import { wrongCursor } from '../../kernel/paging.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const simulationRoutes = (
  simulations: Simulations,
  addressOf: (document: AddressedDocument) => string,
) => [
  ...recordRoutes(
    {
      list: ENDPOINTS.listSimulations,
      create: ENDPOINTS.createSimulation,
      remove: ENDPOINTS.deleteSimulation,
    },
    simulations,
    present,
  ),
  endpoint(ENDPOINTS.getSimulation, async ({ caller, params }) => {
    const { row, tickets } = await simulations.get(caller, params.id)
    return { ...present(row), tickets: tickets.map((ticket) => presentTicket(ticket, addressOf)) }
  }),
  endpoint(ENDPOINTS.listSimulatedTickets, async ({ caller, params, query }) => {
    const toReview = query.to_review === 'true'
    const asked = { limit: query.limit + 1, after: ordinalOf(query.cursor), outcome: query.outcome, toReview }
    const rows = await simulations.tickets(caller, params.id, asked)
    const page = rows.slice(0, query.limit)
    const isMore = rows.length > query.limit && !toReview
    return {
      data: page.map((row) => presentTicket(row, addressOf)),
      next_cursor: isMore ? String(page.at(-1)?.ordinal ?? '') : null,
    }
  }),
  endpoint(ENDPOINTS.reviewSimulatedTicket, async ({ caller, params, body }) =>
    presentTicket(await simulations.review(caller, params.id, body), addressOf),
  ),
  endpoint(ENDPOINTS.getSimulationReport, ({ caller, params, query }) =>
    simulations.report(caller, params.id, query.against),
  ),
  endpoint(ENDPOINTS.readTicketFile, ({ caller, params, query, request }) =>
    simulations.readFile(caller, params.id, query, request),
  ),
  endpoint(ENDPOINTS.cancelSimulation, async ({ caller, params }) =>
    present(await simulations.cancel(caller, params.id)),
  ),
]

/** The cursor of a list of tickets is the number of the last one. */
function ordinalOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (!/^\d{1,7}$/.test(cursor)) throw wrongCursor()
  return Number(cursor)
}

const present = (row: SimulationRow): Simulation => ({
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  integration_id: row.integration_id,
  name: row.name,
  status: row.status,
  total: row.total,
  completed: row.completed,
  deflected: row.deflected,
  left_out: row.left_out,
  sample: row.sample,
  error: row.error,
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const presentTicket = (
  row: SimulationTicketRow,
  addressOf: (document: AddressedDocument) => string,
): SimulatedTicket => ({
  number: row.ordinal,
  ref: row.ref,
  subject: row.subject,
  body: row.body,
  asked_at: row.asked_at?.toISOString() ?? null,
  tags: row.tags,
  language: row.language,
  agent_reply: row.agent_reply,
  outcome: row.outcome,
  confidence: row.confidence,
  answer: row.answer,
  // The column holds citations of an answer.
  citations: storedCitations(row.citations as SimulatedTicket['citations'], addressOf),
  like_agent: row.like_agent,
  review: row.review,
  own_documents: row.own_documents,
})
