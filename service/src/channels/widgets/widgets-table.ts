import type { Json } from '../../platform/storage/json-column.ts'

export interface WidgetsTable {
  knowledge_base_id: string
  id: string
  name: string
  enabled: boolean
  allowed_origins: string[]
  config: Json<Record<string, unknown>>
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    widgets: WidgetsTable
  }
}
