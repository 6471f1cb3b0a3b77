import type { Permission } from '@citewell/contract/endpoint'
import { Refusal } from '../../kernel/refusal.ts'
import { findBaseOf, type BaseRecords } from '../../platform/storage/base-records.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { KnowledgeBaseRow, KnowledgeBases } from '../knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../permissions/permissions.ts'

export interface RecordBasesDeps<Table extends BaseRecords> {
  db: Db<Table>
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  table: Table
  /** In the refusal of an unknown id: `There is no such widget.` */
  noun: string
}

/** Finds the base of a record by the record's id, for a caller with a permission on the base. */
export function createRecordBases<Table extends BaseRecords>({
  db,
  knowledgeBases,
  table,
  noun,
}: RecordBasesDeps<Table>) {
  const notFound = () => new Refusal('NOT_FOUND', { because: `There is no such ${noun}.` })

  async function baseIdOf(id: string): Promise<string> {
    const knowledgeBaseId = await findBaseOf(db, table, id)
    if (knowledgeBaseId === undefined) throw notFound()
    return knowledgeBaseId
  }

  return {
    notFound,
    /** Throws NOT_FOUND for a record that does not exist or that the caller must not know of; see `knowledgeBases.open`. */
    open: async (caller: Caller, id: string, permission: Permission): Promise<KnowledgeBaseRow> =>
      await knowledgeBases.open(caller, await baseIdOf(id), permission),
    /** The same for changes, which an archived base refuses. */
    openActive: async (caller: Caller, id: string, permission: Permission): Promise<KnowledgeBaseRow> =>
      await knowledgeBases.openActive(caller, await baseIdOf(id), permission),
  }
}
