import { sql } from 'kysely'
import { selectSyncs, type SyncRow } from '../../content/syncs/syncs.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type BaseEventsDb = Db<'syncs' | 'sources' | 'approvals' | 'simulations' | 'evaluations'>

/** A text for each list of a base. It differs when a record of the list was added, changed or removed. */
export interface BaseMarks {
  sources: string
  approvals: string
  simulations: string
  evaluations: string
}

/** Most syncs that one look reads. */
const MAX_SYNCS = 200

/** The syncs of a base that have not ended, or changed after this time, latest change first: what waits for long is left out first. */
export const findMovingSyncs = async (
  db: BaseEventsDb,
  knowledgeBaseId: string,
  after: Date,
): Promise<SyncRow[]> =>
  await selectSyncs(db)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where((row) => row.or([row('finished_at', 'is', null), row('updated_at', '>', after)]))
    .orderBy('updated_at', 'desc')
    .limit(MAX_SYNCS)
    .execute()

const markOf = (table: keyof BaseMarks, knowledgeBaseId: string) =>
  sql<string>`(select concat(count(*), ' ', max(updated_at)) from ${sql.table(table)} where knowledge_base_id = ${knowledgeBaseId})`

export async function readMarks(db: BaseEventsDb, knowledgeBaseId: string): Promise<BaseMarks> {
  const { rows } = await sql<BaseMarks>`select
    ${markOf('sources', knowledgeBaseId)} as sources,
    ${markOf('approvals', knowledgeBaseId)} as approvals,
    ${markOf('simulations', knowledgeBaseId)} as simulations,
    ${markOf('evaluations', knowledgeBaseId)} as evaluations`.execute(db)
  return rows[0] ?? { sources: '', approvals: '', simulations: '', evaluations: '' }
}
