import type { Json } from '../../platform/storage/json-column.ts'

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
  problem: string | null
  problem_at: Date | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    integrations: IntegrationsTable
  }
}
