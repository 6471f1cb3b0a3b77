import type { Json } from '../../platform/storage/json-column.ts'

export interface WidgetsTable {
  knowledge_base_id: string
  id: string
  name: string
  enabled: boolean
  allowed_origins: string[]
  config: Json<Record<string, unknown>>
  last_seen_at: Date | null
  /** Of the page that asked for its settings. */
  last_seen_origin: string | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    widgets: WidgetsTable
  }
}
