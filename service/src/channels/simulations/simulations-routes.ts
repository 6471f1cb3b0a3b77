import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SimulatedTicket, Simulation } from '@citewell/contract/simulations'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { storedCitations } from '../../answers/citations/citations.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { SimulationRow, SimulationTicketRow } from './simulations-store.ts'
import type { Simulations } from './simulations.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const simulationRoutes = (
  simulations: Simulations,
  addressOf: (document: AddressedDocument) => string,
) => [
  endpoint(ENDPOINTS.listSimulations, async ({ caller, params, query }) =>
    pageOfRows(await simulations.list(caller, params.id, parsePageQuery(query)), query.limit, present),
  ),
  endpoint(ENDPOINTS.createSimulation, async ({ caller, params, body }) =>
    present(await simulations.create(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.getSimulation, async ({ caller, params }) => {
    const { row, tickets } = await simulations.get(caller, params.id)
    return { ...present(row), tickets: tickets.map((row) => presentTicket(row, addressOf)) }
  }),
  endpoint(ENDPOINTS.cancelSimulation, async ({ caller, params }) =>
    present(await simulations.cancel(caller, params.id)),
  ),
  endpoint(ENDPOINTS.deleteSimulation, ({ caller, params }) => simulations.remove(caller, params.id)),
]

const present = (row: SimulationRow): Simulation => ({
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  integration_id: row.integration_id,
  name: row.name,
  status: row.status,
  total: row.total,
  completed: row.completed,
  deflected: row.deflected,
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
  ref: row.ref,
  subject: row.subject,
  body: row.body,
  outcome: row.outcome,
  confidence: row.confidence,
  answer: row.answer,
  // The column holds citations of an answer.
  citations: storedCitations(row.citations as SimulatedTicket['citations'], addressOf),
})
