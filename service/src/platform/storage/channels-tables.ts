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

export interface McpServersTable {
  knowledge_base_id: string
  id: string
  server_name: string
  sign_in_type: 'api_key' | 'public' | 'internal'
  created_at: Date
  updated_at: Date
}

export interface CaptchaSpentTokensTable {
  token_hash: string
  expires_at: Date
}

export interface FormDeflectorsTable {
  knowledge_base_id: string
  id: string
  name: string
  enabled: boolean
  min_characters: number
  min_confidence: number
  created_at: Date
  updated_at: Date
}

export interface DeflectionsTable {
  knowledge_base_id: string
  conversation_id: string
  form_deflector_id: string | null
  client_key_id: string
  answered: boolean
  confidence: number
  outcome: 'deflected' | 'submitted' | null
  created_at: Date
  updated_at: Date
}

export interface McpFeedbackTable {
  knowledge_base_id: string
  id: string
  message: string
  url: string | null
  server_name: string | null
  client_key_id: string | null
  user_ref: string | null
  created_at: Date
}

/** The channels through which questions arrive. */
export interface ChannelsTables {
  widgets: WidgetsTable
  form_deflectors: FormDeflectorsTable
  deflections: DeflectionsTable
  mcp_servers: McpServersTable
  mcp_feedback: McpFeedbackTable
  captcha_spent_tokens: CaptchaSpentTokensTable
}
