export interface SourceGroupsTable {
  knowledge_base_id: string
  id: string
  name: string
  description: string | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    source_groups: SourceGroupsTable
  }
}
