import type { Db } from '../../platform/storage/tables.ts'

export type SyncsDb = Db<
  | 'syncs'
  | 'sync_changes'
  | 'sync_errors'
  | 'sources'
  | 'documents'
  | 'held_documents'
  | 'source_pages'
  | 'source_progress'
  | 'knowledge_bases'
>
