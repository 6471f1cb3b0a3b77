import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { RecordLocation } from '../activity-log/activity-log.ts'
import type { RecordPlace } from './record-place.ts'

type LocationsDb = Db<'knowledge_bases'>

/** Undefined for a base that does not exist. */
export async function findBaseLocation(db: LocationsDb, id: string): Promise<RecordLocation | undefined> {
  const { rows } = await sql<Found>`select b.workspace_id, b.id as knowledge_base_id, b.name
    from knowledge_bases b where b.id = ${id}`.execute(db)
  return locationOf(rows)
}

/** Undefined for a record that does not exist. */
export async function findRecordLocation(
  db: LocationsDb,
  { table, name }: RecordPlace,
  id: string,
): Promise<RecordLocation | undefined> {
  const { rows } = await sql<Found>`select b.workspace_id, b.id as knowledge_base_id,
      ${name === undefined ? sql`null` : sql.ref(`r.${name}`)} as name
    from ${sql.table(table)} r join knowledge_bases b on b.id = r.knowledge_base_id
    where r.id = ${id}`.execute(db)
  return locationOf(rows)
}

interface Found {
  workspace_id: string
  knowledge_base_id: string
  name: string | null
}

function locationOf([found]: Found[]): RecordLocation | undefined {
  if (found === undefined) return undefined
  return {
    workspaceId: found.workspace_id,
    knowledgeBaseId: found.knowledge_base_id,
    name: found.name ?? undefined,
  }
}
