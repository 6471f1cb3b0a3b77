import type { Json } from './json-column.ts'

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

/** Who may do what. */
export interface AccountsTables {
  workspaces: WorkspacesTable
  users: UsersTable
  workspace_members: WorkspaceMembersTable
  access_tokens: AccessTokensTable
  setup_codes: SetupCodesTable
  knowledge_bases: KnowledgeBasesTable
  client_keys: ClientKeysTable
}
