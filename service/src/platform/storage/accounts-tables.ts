import type { PiiMasking } from '@citewell/contract/pii-masking'
import type { ColumnType } from 'kysely'
import type { Json } from './json-column.ts'

/** A nullable column that an insert may omit. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

export interface WorkspacesTable {
  id: string
  name: string
  plan: 'free' | 'pro' | 'enterprise'
  zero_data_retention: boolean
  /** Set by the operator; null: the quota of the plan. */
  monthly_question_allowance: Nullable<number>
  /** Days of inactivity after which conversations are purged; null keeps them. */
  retention_days: Nullable<number>
  llm_base_url: Nullable<string>
  llm_model: Nullable<string>
  llm_sealed_api_key: Nullable<string>
  /** The last four characters of the key. */
  llm_api_key_end: Nullable<string>
  created_at: Date
  updated_at: Date
}

/** Approximate storage of a workspace. Updated by triggers (migration 0027), read as text. */
export interface WorkspaceStorageTable {
  workspace_id: string
  bytes: ColumnType<string, number, number>
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
  updated_at: ColumnType<Date, Date | undefined, Date>
}

/** An invitation that is still open: the person is not a member until they accept it. */
export interface InvitationsTable {
  workspace_id: string
  user_id: string
  role: WorkspaceMembersTable['role']
  code_hash: string
  invited_by: string
  expires_at: Date
  created_at: Date
  updated_at: Date
}

/** Permissions of a member on one knowledge base beyond their role. */
export interface KnowledgeBaseGrantsTable {
  workspace_id: string
  knowledge_base_id: string
  user_id: string
  permissions: ('config' | 'chat')[]
  created_at: Date
  updated_at: Date
}

export interface ActivityLogTable {
  workspace_id: string
  /** 1 for a workspace's first entry; without gaps. */
  sequence: ColumnType<string, number, never>
  id: string
  knowledge_base_id: string | null
  actor_user_id: string | null
  actor_token_id: string | null
  actor_system: string | null
  action: string
  target_type: string
  target_id: string
  target_name: string | null
  details: Json<Record<string, unknown>>
  at: Date
  hash: string
}

/** The last entry of the hash chain of a workspace. */
export interface ActivityHeadsTable {
  workspace_id: string
  sequence: ColumnType<string, number, number>
  hash: string
}

export interface AccessTokensTable {
  id: string
  user_id: string
  name: string
  token_hash: string
  token_start: string
  scopes: string[]
  /** Created on the machine itself, or set in its environment. */
  is_operator: ColumnType<boolean, boolean | undefined, boolean>
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Date
  updated_at: Date
}

/** Workspaces from which a token is excluded, although its owner is a member. */
export interface AccessTokenExclusionsTable {
  token_id: string
  workspace_id: string
  created_at: Date
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
  pii_masking: Json<PiiMasking>
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

/** Questions of a workspace in one month (`2026-11`, UTC). */
export interface QuestionAllowancesTable {
  workspace_id: string
  month: string
  used: number
}

/** The same per knowledge base: the sum equals the number of the workspace. */
export interface QuestionUsageTable {
  workspace_id: string
  month: string
  knowledge_base_id: string
  used: number
  given_back: ColumnType<number, number | undefined, number>
}

/** Accounts and permissions. */
export interface AccountsTables {
  workspaces: WorkspacesTable
  workspace_storage: WorkspaceStorageTable
  users: UsersTable
  workspace_members: WorkspaceMembersTable
  access_tokens: AccessTokensTable
  access_token_exclusions: AccessTokenExclusionsTable
  setup_codes: SetupCodesTable
  invitations: InvitationsTable
  knowledge_base_grants: KnowledgeBaseGrantsTable
  activity_log: ActivityLogTable
  activity_heads: ActivityHeadsTable
  knowledge_bases: KnowledgeBasesTable
  question_allowances: QuestionAllowancesTable
  question_usage: QuestionUsageTable
  client_keys: ClientKeysTable
}
