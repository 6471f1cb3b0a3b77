import type { Json } from './json-column.ts'

export interface WebhookTriggersTable {
  knowledge_base_id: string
  id: string
  name: string
  url: string
  /** Scheme, host and port of the url. */
  origin: string
  events: string[]
  sealed_secret: string | null
  gone_at: Date | null
  created_at: Date
  updated_at: Date
}

export type DeliveryStatus = 'pending' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'cancelled'

export interface WebhookDeliveriesTable {
  knowledge_base_id: string
  id: string
  trigger_id: string
  thread_id: string | null
  /** The same for every retry. */
  message_id: string
  redelivery_of: string | null
  event: string
  body: string
  origin: string
  status: DeliveryStatus
  response_status: number | null
  response_body: string | null
  error: string | null
  duration_ms: number | null
  attempted_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface IntegrationsTable {
  knowledge_base_id: string
  id: string
  kind: 'bot' | 'helpdesk_integration' | 'agent_app'
  name: string
  platform: string | null
  handles: 'tickets' | 'chats' | null
  description: string | null
  enabled: boolean
  config: Json<Record<string, unknown>>
  sealed_credentials: string | null
  created_at: Date
  updated_at: Date
}

export interface HelpdeskTicketsTable {
  knowledge_base_id: string
  integration_id: string
  ticket_id: string
  thread_id: string | null
  answers_given: number
  answering_since: Date | null
  status: 'open' | 'answered' | 'unanswered' | 'escalated'
  reason: string | null
  created_at: Date
  updated_at: Date
}

export interface ApprovalsTable {
  knowledge_base_id: string
  id: string
  agent_id: string
  kind: 'reply' | 'action'
  title: string
  content: string
  decision: 'approved' | 'rejected' | null
  comment: string | null
  decided_by: string | null
  decided_at: Date | null
  created_at: Date
  updated_at: Date
}

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

/** Webhooks, integrations, approvals and simulations. */
export interface IntegrationsTables {
  webhook_triggers: WebhookTriggersTable
  webhook_deliveries: WebhookDeliveriesTable
  integrations: IntegrationsTable
  helpdesk_tickets: HelpdeskTicketsTable
  approvals: ApprovalsTable
  simulations: SimulationsTable
  simulation_tickets: SimulationTicketsTable
}
