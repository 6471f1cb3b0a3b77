import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type OpenAnswersDb = Db<'knowledge_bases' | 'client_keys'>

/** How the bases and keys of answers stand. One that is gone is in neither. */
export interface Standing {
  bases: Map<string, { status: 'active' | 'archived'; type: 'external' | 'internal' }>
  liveKeys: Set<string>
}

/** Reads how these bases and keys stand, in one statement. */
export async function readStanding(
  db: OpenAnswersDb,
  of: { knowledgeBaseIds: readonly string[]; clientKeyIds: readonly string[] },
): Promise<Standing> {
  const anyOf = (ids: readonly string[]) => sql`any(${[...ids]}::uuid[])`
  const { rows } = await sql<
    | { kind: 'base'; id: string; status: 'active' | 'archived'; type: 'external' | 'internal' }
    | { kind: 'key'; id: string; status: 'live' | 'revoked'; type: null }
  >`
    select 'base' as kind, id, status, type from knowledge_bases where id = ${anyOf(of.knowledgeBaseIds)}
    union all
    select 'key', id, status, null from client_keys
    where knowledge_base_id = ${anyOf(of.knowledgeBaseIds)} and id = ${anyOf(of.clientKeyIds)}`.execute(db)
  const standing: Standing = { bases: new Map(), liveKeys: new Set() }
  for (const row of rows) {
    if (row.kind === 'base') standing.bases.set(row.id, { status: row.status, type: row.type })
    else if (row.status === 'live') standing.liveKeys.add(row.id)
  }
  return standing
}
