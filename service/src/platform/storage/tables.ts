import type { ColumnType, Kysely } from 'kysely'

/** JSON is written as text, and read parsed. */
type Json<Value> = ColumnType<Value, string, string>

export interface WorkspacesTable {
  id: string
  name: string
  plan: 'free' | 'pro' | 'enterprise'
  zero_data_retention: boolean
  created_at: Date
  updated_at: Date
}

export interface UsersTable {
  id: string
  email: string
  name: string
  created_at: Date
  updated_at: Date
}

export interface WorkspaceMembersTable {
  workspace_id: string
  user_id: string
  role: 'owner' | 'admin' | 'member'
  created_at: Date
}

export interface AccessTokensTable {
  id: string
  user_id: string
  name: string
  token_hash: string
  token_start: string
  scopes: string[]
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SetupCodesTable {
  code_hash: string
  user_id: string
  expires_at: Date
  created_at: Date
}

export interface KnowledgeBasesTable {
  id: string
  workspace_id: string
  name: string
  description: string | null
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  language: string | null
  respect_robots_txt: boolean
  settings: Json<{ mcp_documents_enabled: boolean }>
  starter_questions: Json<{ mode: 'generated' | 'own' | 'none'; questions: string[] }>
  scheduled_crawling: 'hourly' | 'daily' | 'weekly' | 'monthly' | null
  persona: string | null
  tone: string | null
  standing_instructions: string | null
  pii_masking: Json<{ mask: string[]; custom_patterns: string[]; allow_list: string[] }>
  workspace_members_can_chat: boolean
  next_crawl_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ClientKeysTable {
  knowledge_base_id: string
  id: string
  name: string
  kind: 'public' | 'secret'
  public_key: string | null
  client_id: string | null
  secret_hash: string | null
  allow_mcp_access: boolean
  allowed_origins: string[]
  allowed_source_group_ids: string[]
  status: 'live' | 'revoked'
  last_used_at: Date | null
  created_at: Date
  updated_at: Date
}

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

export interface SourceGroupsTable {
  knowledge_base_id: string
  id: string
  name: string
  description: string | null
  created_at: Date
  updated_at: Date
}

export interface SourcesTable {
  knowledge_base_id: string
  id: string
  name: string
  type: string
  config: Json<Record<string, unknown>>
  version_label: string | null
  source_group_id: string | null
  visibility: 'public' | 'restricted'
  refresh: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly'
  next_refresh_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SyncCounts {
  discovered: number
  fetched: number
  added: number
  changed: number
  unchanged: number
  removed: number
  skipped: number
  failed: number
}

export interface SyncsTable {
  knowledge_base_id: string
  id: string
  source_id: string
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: Json<SyncCounts>
  error: string | null
  cancel_requested: ColumnType<boolean, boolean | undefined, boolean>
  lease: string | null
  heartbeat_at: Date | null
  attempts: ColumnType<number, number | undefined, number>
  started_at: Date | null
  finished_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SyncErrorsTable {
  knowledge_base_id: string
  sync_id: string
  ordinal: number
  kind: 'failed' | 'skipped'
  url: string
  reason: string
}

export interface DocumentsTable {
  knowledge_base_id: string
  id: string
  source_id: string
  external_id: string
  url: string
  title: string
  language: string | null
  visibility: 'public' | 'restricted'
  live_version: number | null
  latest_version: ColumnType<number, number | undefined, number>
  chunk_count: ColumnType<number, number | undefined, number>
  content_hash: string | null
  indexed_with: string | null
  source_modified_at: Date | null
  indexed_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SourcePagesTable {
  knowledge_base_id: string
  source_id: string
  url: string
  etag: string | null
  last_modified: string | null
  body_hash: string | null
  external_id: string | null
  state: Json<Record<string, unknown>>
  updated_at: Date
}

export interface SourceFilesTable {
  knowledge_base_id: string
  id: string
  source_id: string
  name: string
  media_type: string
  byte_length: number
  sha256: string
  created_at: Date
  updated_at: Date
}

export interface ChunksTable {
  knowledge_base_id: string
  id: string
  document_id: string
  version: number
  ordinal: number
  heading_path: string[]
  anchor: string | null
  /** Where a passage runs over several sections: each part's offset in `text`, its fragment id, and its own headings. */
  places: Json<{ at: number; anchor?: string; headings: string[] }[]>
  text: string
  terms: string
  embedded_hash: string
}

export interface ChunkVectorsTable {
  knowledge_base_id: string
  chunk_id: string
  document_id: string
  version: number
  embedding_key: string
  /** As pgvector's text form, `[0.1,0.2,…]`. */
  embedding: string
  /** The sentences' directions, packed; null where the model gives none. */
  sentences: Buffer | null
}

export interface PageWordsTable {
  knowledge_base_id: string
  document_id: string
  version: number
  terms: string
}

export interface ThreadsTable {
  knowledge_base_id: string
  id: string
  client_key_id: string | null
  surface: string
  user_ref: string | null
  created_at: Date
  updated_at: Date
}

export interface MessagesTable {
  knowledge_base_id: string
  id: string
  thread_id: string
  query: string
  rewritten_query: string | null
  answer: string
  citations: Json<unknown[]>
  covered: boolean
  confidence: number
  stopped_by: string | null
  trace: Json<Record<string, unknown>>
  created_at: Date
  updated_at: Date
}

export interface FeedbackTable {
  knowledge_base_id: string
  message_id: string
  id: string
  vote: 'up' | 'down'
  comment: string | null
  source: string
  created_at: Date
  updated_at: Date
}

export interface SuggestedQuestionsTable {
  knowledge_base_id: string
  /** Each with the page that answers it, so that a reading can ask whether that page is still public. */
  questions: Json<{ question: string; documentId: string }[]>
  made_at: Date
}

export interface Tables {
  workspaces: WorkspacesTable
  users: UsersTable
  workspace_members: WorkspaceMembersTable
  access_tokens: AccessTokensTable
  setup_codes: SetupCodesTable
  knowledge_bases: KnowledgeBasesTable
  client_keys: ClientKeysTable
  widgets: WidgetsTable
  source_groups: SourceGroupsTable
  sources: SourcesTable
  syncs: SyncsTable
  sync_errors: SyncErrorsTable
  documents: DocumentsTable
  source_pages: SourcePagesTable
  source_files: SourceFilesTable
  chunks: ChunksTable
  chunk_vectors: ChunkVectorsTable
  page_words: PageWordsTable
  threads: ThreadsTable
  messages: MessagesTable
  feedback: FeedbackTable
  suggested_questions: SuggestedQuestionsTable
}

/** A handle that can only see the tables it names: what a store touches is in its type. */
export type Db<Names extends keyof Tables> = Kysely<Pick<Tables, Names>>
