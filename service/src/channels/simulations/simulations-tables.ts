import type { Json } from '../../platform/storage/json-column.ts'

export interface SimulationsTable {
  knowledge_base_id: string
  id: string
  integration_id: string
  name: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  total: number
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
  outcome: 'deflected' | 'low_confidence' | 'answer_failed' | null
  confidence: number | null
  answer: string | null
  citations: Json<unknown[]>
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    simulations: SimulationsTable
    simulation_tickets: SimulationTicketsTable
  }
}
