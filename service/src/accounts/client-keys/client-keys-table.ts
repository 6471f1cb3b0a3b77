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

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    client_keys: ClientKeysTable
  }
}
