import type { Db } from '../../platform/storage/tables.ts'

/** The tables made from documents, all keyed by `knowledge_base_id`, `document_id` and `version`. */
export const INDEX_TABLES = ['chunk_vectors', 'chunks', 'page_words'] as const

export type IndexDb = Db<
  | 'documents'
  | 'chunks'
  | 'chunk_vectors'
  | 'page_words'
  | 'source_pages'
  | 'sources'
  | 'knowledge_bases'
  | 'custom_answers'
  | 'workspaces'
  | 'workspace_storage'
>
