import type { SimulationReport } from '@citewell/contract/simulation-report'
import type { LeftOutTickets, TicketSample } from '@citewell/contract/ticket-files'
import type { Json } from '../../platform/storage/json-column.ts'

export interface SimulationsTable {
  knowledge_base_id: string
  id: string
  integration_id: string
  name: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  total: number
  left_out: Json<LeftOutTickets[]>
  sample: Json<TicketSample | null>
  gaps: Json<SimulationReport['gaps']>
  /** Of the knowledge base, when the simulation ended. */
  base_state: Json<SimulationReport['base']>
  error: string | null
  lease: string | null
  heartbeat_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SimulationTicketsTable {
  knowledge_base_id: string
  simulation_id: string
  ordinal: number
  ref: string | null
  subject: string | null
  body: string
  asked_at: Date | null
  tags: Json<string[]>
  language: string | null
  agent_reply: string | null
  outcome: 'deflected' | 'low_confidence' | 'answer_failed' | null
  confidence: number | null
  answer: string | null
  citations: Json<unknown[]>
  like_agent: number | null
  review: 'right' | 'partly' | 'wrong' | null
  /** How many documents were left out of the answer because they were made from this ticket. */
  own_documents: number
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    simulations: SimulationsTable
    simulation_tickets: SimulationTicketsTable
  }
}
