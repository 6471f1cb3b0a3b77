import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SimulatedTicket, Simulation } from '@citewell/contract/simulations'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { storedCitations } from '../../answers/citations/citations.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { SimulationRow, SimulationTicketRow } from './simulations-store.ts'
import type { Simulations } from './simulations.ts'

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
    return { ...present(row), tickets: tickets.map((row) => presentTicket(row, addressOf)) }
  }),
  endpoint(ENDPOINTS.cancelSimulation, async ({ caller, params }) =>
    present(await simulations.cancel(caller, params.id)),
  ),
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
