import { sql } from 'kysely'
import type { Plan } from '@citewell/contract/limits'
import type { Db } from '../../platform/storage/tables.ts'

export type StorageQuotaDb = Db<'workspaces' | 'knowledge_bases' | 'workspace_storage'>

export interface StoredOfWorkspace {
  bytes: number
  plan: Plan
}

interface Row {
  bytes: string
  plan: Plan
}

const toStored = ([row]: readonly Row[]): StoredOfWorkspace | undefined =>
  row && { bytes: Math.max(0, Number(row.bytes)), plan: row.plan }

/** Approximate storage used by the workspace of a base; undefined for a base that was deleted. */
export async function readStoredOfBase(
  db: StorageQuotaDb,
  knowledgeBaseId: string,
): Promise<StoredOfWorkspace | undefined> {
  const { rows } = await sql<Row>`
    select coalesce(s.bytes, 0)::text as bytes, w.plan
    from knowledge_bases b join workspaces w on w.id = b.workspace_id
    left join workspace_storage s on s.workspace_id = w.id
    where b.id = ${knowledgeBaseId}`.execute(db)
  return toStored(rows)
}

/** Approximate storage used by a workspace; undefined if it does not exist. */
export async function readStoredOfWorkspace(
  db: StorageQuotaDb,
  workspaceId: string,
): Promise<StoredOfWorkspace | undefined> {
  const { rows } = await sql<Row>`
    select coalesce(s.bytes, 0)::text as bytes, w.plan
    from workspaces w left join workspace_storage s on s.workspace_id = w.id
    where w.id = ${workspaceId}`.execute(db)
  return toStored(rows)
}
