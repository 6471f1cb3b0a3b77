import type { ColumnType } from 'kysely'

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
  /** How the inviting workspace calls the person, until they join. */
  name: string
  code_hash: string
  invited_by: string
  expires_at: Date
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    workspace_members: WorkspaceMembersTable
    invitations: InvitationsTable
  }
}
