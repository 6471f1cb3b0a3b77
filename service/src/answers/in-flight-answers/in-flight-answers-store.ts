import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type InFlightAnswersDb = Db<'knowledge_bases' | 'client_keys' | 'documents'>

/** Status of what in-flight answers depend on. What was deleted is missing. */
export interface CurrentStatus {
  bases: Map<string, { status: 'active' | 'archived'; type: 'external' | 'internal' }>
  liveKeys: Set<string>
  /** Documents with text that is searched, by their visibility. */
  documents: Map<string, 'public' | 'restricted'>
}

/** Reads the status of these bases, keys and documents in one statement. */
export async function readStatus(
  db: InFlightAnswersDb,
  of: {
    knowledgeBaseIds: readonly string[]
    clientKeyIds: readonly string[]
    documentIds: readonly string[]
  },
): Promise<CurrentStatus> {
  const anyOf = (ids: readonly string[]) => sql`any(${[...ids]}::uuid[])`
  const { rows } = await sql<
    | { kind: 'base'; id: string; status: 'active' | 'archived'; type: 'external' | 'internal' }
    | { kind: 'key'; id: string; status: 'live' | 'revoked'; type: null }
    | { kind: 'document'; id: string; status: 'public' | 'restricted'; type: null }
  >`
    select 'base' as kind, id, status, type from knowledge_bases where id = ${anyOf(of.knowledgeBaseIds)}
    union all
    select 'key', id, status, null from client_keys
    where knowledge_base_id = ${anyOf(of.knowledgeBaseIds)} and id = ${anyOf(of.clientKeyIds)}
    union all
    select 'document', id, visibility, null from documents
    where knowledge_base_id = ${anyOf(of.knowledgeBaseIds)} and id = ${anyOf(of.documentIds)}
      and live_version is not null`.execute(db)
  const current: CurrentStatus = { bases: new Map(), liveKeys: new Set(), documents: new Map() }
  for (const row of rows) {
    if (row.kind === 'base') current.bases.set(row.id, { status: row.status, type: row.type })
    else if (row.kind === 'document') current.documents.set(row.id, row.status)
    else if (row.status === 'live') current.liveKeys.add(row.id)
  }
  return current
}
