import type { ColumnType } from 'kysely'

/** Approximate storage of a workspace. Updated by triggers (migration 0027), read as text. */
export interface WorkspaceStorageTable {
  workspace_id: string
  bytes: ColumnType<string, number, number>
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    workspace_storage: WorkspaceStorageTable
  }
}
