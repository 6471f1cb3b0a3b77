import type { ColumnType } from 'kysely'
import type { PiiMasking } from '@citewell/contract/pii-masking'
import type { Json } from '../../platform/storage/json-column.ts'

export interface KnowledgeBasesTable {
  id: string
  workspace_id: string
  name: string
  description: string | null
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  /** Chosen by an owner, or found out from the pages; null: neither. */
  language: string | null
  is_language_found: ColumnType<boolean, boolean | undefined, boolean>
  respect_robots_txt: boolean
  settings: Json<{ mcp_documents_enabled: boolean }>
  starter_questions: Json<{ mode: 'generated' | 'own' | 'none'; questions: string[] }>
  scheduled_crawling: 'hourly' | 'daily' | 'weekly' | 'monthly' | null
  persona: string | null
  tone: string | null
  standing_instructions: string | null
  pii_masking: Json<PiiMasking>
  workspace_members_can_chat: boolean
  next_crawl_at: Date | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    knowledge_bases: KnowledgeBasesTable
  }
}
