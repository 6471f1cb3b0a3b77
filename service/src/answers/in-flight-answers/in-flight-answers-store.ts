import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type InFlightAnswersDb = Db<'knowledge_bases' | 'client_keys'>

/** Status of the bases and keys of in-flight answers. A deleted one is missing. */
export interface BaseAndKeyStatus {
  bases: Map<string, { status: 'active' | 'archived'; type: 'external' | 'internal' }>
  liveKeys: Set<string>
}

/** Reads the status of these bases and keys in one statement. */
export async function readStatus(
  db: InFlightAnswersDb,
  of: { knowledgeBaseIds: readonly string[]; clientKeyIds: readonly string[] },
): Promise<BaseAndKeyStatus> {
  const anyOf = (ids: readonly string[]) => sql`any(${[...ids]}::uuid[])`
  const { rows } = await sql<
    | { kind: 'base'; id: string; status: 'active' | 'archived'; type: 'external' | 'internal' }
    | { kind: 'key'; id: string; status: 'live' | 'revoked'; type: null }
  >`
    select 'base' as kind, id, status, type from knowledge_bases where id = ${anyOf(of.knowledgeBaseIds)}
    union all
    select 'key', id, status, null from client_keys
    where knowledge_base_id = ${anyOf(of.knowledgeBaseIds)} and id = ${anyOf(of.clientKeyIds)}`.execute(db)
  const current: BaseAndKeyStatus = { bases: new Map(), liveKeys: new Set() }
  for (const row of rows) {
    if (row.kind === 'base') current.bases.set(row.id, { status: row.status, type: row.type })
    else if (row.status === 'live') current.liveKeys.add(row.id)
  }
  return current
}
