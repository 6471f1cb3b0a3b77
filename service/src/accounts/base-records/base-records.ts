import type { Selectable } from 'kysely'
import type { PageRequest } from '../../kernel/paging.ts'
import {
  deleteRecord,
  findRecord,
  insertRecord,
  listRecords,
  updateRecord,
  type BaseRecords,
  type ChangedRecord,
} from '../../platform/storage/base-records.ts'
import type { Tables } from '../../platform/storage/tables.ts'
import type { KnowledgeBaseRow } from '../knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../permissions/permissions.ts'
import { createRecordBases, type RecordBasesDeps } from './record-bases.ts'

export { createRecordBases } from './record-bases.ts'
export { recordRoutes } from './record-routes.ts'

type RowOf<Table extends BaseRecords> = Selectable<Tables[Table]>

/** What a caller gives of a record; the other columns are the same for every record of a base. */
type NewRecord<Table extends BaseRecords> = Omit<
  RowOf<Table>,
  'knowledge_base_id' | 'id' | 'created_at' | 'updated_at'
>

type RecordChanges<Table extends BaseRecords> = {
  [Field in keyof NewRecord<Table>]?: NewRecord<Table>[Field] | undefined
}

export interface BaseRecordsDeps<Table extends BaseRecords> extends RecordBasesDeps<Table> {
  /** Throws if the base may not have such a record. */
  requireAllowedIn?(base: KnowledgeBaseRow): void | Promise<void>
  /** For a table with more than the fields of the record. Default: each field is written to the column of its name. */
  insert?(row: RowOf<Table>): Promise<void>
  update?(of: ChangedRecord, changes: RecordChanges<Table>): Promise<RowOf<Table> | undefined>
  newId: () => string
  now: () => Date
}

/**
 * The records of a base whose rules are the common ones: members list and read them, Config creates, changes and deletes them, and an
 * archived base refuses to have them created or changed. The route layer records the changes in the activity log.
 */
export function createBaseRecords<Table extends BaseRecords>(deps: BaseRecordsDeps<Table>) {
  const { db, table, knowledgeBases, newId, now } = deps
  const insert = deps.insert ?? ((row) => insertRecord(db, table, row))
  const update = deps.update ?? ((of, changes) => updateRecord(db, table, of, changes))
  const bases = createRecordBases(deps)

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<RowOf<Table>[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listRecords(db, table, { ...page, knowledgeBaseId })
  }

  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewRecord<Table>,
  ): Promise<RowOf<Table>> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    await deps.requireAllowedIn?.(base)
    const fields = { knowledge_base_id: base.id, id: newId(), created_at: now(), updated_at: now() }
    // The two halves of a row: the compiler cannot join them while the table is a parameter.
    const row = { ...given, ...fields } as RowOf<Table>
    await insert(row)
    return row
  }

  async function get(caller: Caller, id: string): Promise<RowOf<Table>> {
    const base = await bases.open(caller, id, 'member')
    const row = await findRecord(db, table, { knowledgeBaseId: base.id, id })
    if (row === undefined) throw bases.notFound()
    return row
  }

  async function change(caller: Caller, id: string, changes: RecordChanges<Table>): Promise<RowOf<Table>> {
    const base = await bases.openActive(caller, id, 'config')
    const row = await update({ knowledgeBaseId: base.id, id, now: now() }, changes)
    if (row === undefined) throw bases.notFound()
    return row
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const base = await bases.open(caller, id, 'config')
    await deleteRecord(db, table, { knowledgeBaseId: base.id, id })
  }

  return { list, create, get, change, remove }
}
