import type { ColumnType } from 'kysely'

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

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    access_tokens: AccessTokensTable
    access_token_exclusions: AccessTokenExclusionsTable
  }
}
