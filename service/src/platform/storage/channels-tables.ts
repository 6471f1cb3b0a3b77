import type { Json } from './json-column.ts'

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

/** Where it is said. */
export interface ChannelsTables {
  widgets: WidgetsTable
}
