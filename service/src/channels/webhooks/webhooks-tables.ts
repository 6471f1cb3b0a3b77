export type DeliveryStatus = 'pending' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'cancelled'

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

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    webhook_triggers: WebhookTriggersTable
    webhook_deliveries: WebhookDeliveriesTable
  }
}
