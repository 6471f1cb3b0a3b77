import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { QUESTION_COLUMNS, type QuestionSettingsRow } from './question-columns.ts'
import type { KnowledgeBasesTable } from './knowledge-bases-table.ts'
import type { ActivityTables } from '../activity-log/activity-log.ts'
import type { Plan } from '../plans/plans.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type KnowledgeBasesDb = Db<'knowledge_bases' | 'workspaces' | ActivityTables>

/** The number of documents that a base shows: SQL of the room that owns them, over `knowledge_bases.id`. */
export type DocumentCount = RawBuilder<string>

export type StoredBase = Selectable<KnowledgeBasesTable>

/** A base as it is opened for a caller, with what it and its workspace say about questions. */
export interface KnowledgeBaseRow extends StoredBase, Omit<QuestionSettingsRow, keyof StoredBase> {}

export interface CountedKnowledgeBase extends StoredBase {
  document_count: number
}

/**
 * The plan of a workspace, locked until the transaction ends: concurrent creations and restores wait here, so that the plan's
 * limit cannot be exceeded by two that run in parallel.
 */
export async function lockWorkspacePlan(
  transaction: KnowledgeBasesDb,
  workspaceId: string,
): Promise<Plan | undefined> {
  const workspace = await transaction
    .selectFrom('workspaces')
    .select('plan')
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst()
  return workspace?.plan
}

export async function countActiveBases(transaction: KnowledgeBasesDb, workspaceId: string): Promise<number> {
  const row = await transaction
    .selectFrom('knowledge_bases')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertKnowledgeBase(db: KnowledgeBasesDb, base: StoredBase): Promise<void> {
  await db
    .insertInto('knowledge_bases')
    .values({
      ...base,
      settings: JSON.stringify(base.settings),
      starter_questions: JSON.stringify(base.starter_questions),
      pii_masking: JSON.stringify(base.pii_masking),
    })
    .execute()
}

/**
 * A base by its id as it is now, with what it and its workspace say about questions. Without a permission check: for a caller, compare
 * `workspace_id` before anything else; background work knows the id from a row of its own.
 */
export async function findKnowledgeBase(
  db: Db<'knowledge_bases' | 'workspaces'>,
  id: string,
): Promise<KnowledgeBaseRow | undefined> {
  return await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .selectAll('knowledge_bases')
    .select(QUESTION_COLUMNS)
    .where('knowledge_bases.id', '=', id)
    .executeTakeFirst()
}

/** A base, locked against other changes until the transaction ends. */
export async function lockKnowledgeBase(
  transaction: KnowledgeBasesDb,
  workspaceId: string,
  id: string,
): Promise<StoredBase | undefined> {
  return await transaction
    .selectFrom('knowledge_bases')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * The type of a base, locked until the transaction ends. Undefined for a base that was deleted.
 *
 * @param given.isAlone whether others that lock it wait; else only a change of the type waits
 */
export async function lockType(
  transaction: Db<'knowledge_bases'>,
  id: string,
  given: { isAlone?: boolean } = {},
): Promise<StoredBase['type'] | undefined> {
  const query = transaction.selectFrom('knowledge_bases').select('type').where('id', '=', id)
  const row = await (given.isAlone === true ? query.forUpdate() : query.forKeyShare()).executeTakeFirst()
  return row?.type
}

const selectCounted = (db: KnowledgeBasesDb, documentCount: DocumentCount) =>
  db.selectFrom('knowledge_bases').selectAll('knowledge_bases').select(documentCount.as('document_count'))

const counted = (row: StoredBase & { document_count: string }): CountedKnowledgeBase => ({
  ...row,
  document_count: Number(row.document_count),
})

export async function findCountedKnowledgeBase(
  db: KnowledgeBasesDb,
  documentCount: DocumentCount,
  of: { workspaceId: string; id: string },
): Promise<CountedKnowledgeBase | undefined> {
  const row = await selectCounted(db, documentCount)
    .where('knowledge_bases.workspace_id', '=', of.workspaceId)
    .where('knowledge_bases.id', '=', of.id)
    .executeTakeFirst()
  return row && counted(row)
}

export async function listKnowledgeBases(
  db: KnowledgeBasesDb,
  documentCount: DocumentCount,
  of: PageRequest & {
    /** Workspaces of which all bases are listed. */
    workspaceIds: readonly string[]
    /** Workspaces of which only the bases open to members and these granted ones are listed. */
    asMember: { workspaceIds: readonly string[]; grantedIds: readonly string[] }
    status: StoredBase['status'] | undefined
  },
): Promise<CountedKnowledgeBase[]> {
  const { asMember } = of
  if (of.workspaceIds.length + asMember.workspaceIds.length === 0) return []
  const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`
  const rows = await selectCounted(db, documentCount)
    .where((where) =>
      where.or([
        where('knowledge_bases.workspace_id', '=', anyOf(of.workspaceIds)),
        where.and([
          where('knowledge_bases.workspace_id', '=', anyOf(asMember.workspaceIds)),
          where.or([
            where('knowledge_bases.workspace_members_can_chat', '=', true),
            where('knowledge_bases.id', '=', anyOf(asMember.grantedIds)),
          ]),
        ]),
      ]),
    )
    .$if(of.status !== undefined, (query) =>
      query.where('knowledge_bases.status', '=', of.status ?? 'active'),
    )
    .$if(of.after !== undefined, (query) => query.where('knowledge_bases.id', '>', of.after ?? ''))
    .orderBy('knowledge_bases.id')
    .limit(of.limit)
    .execute()
  return rows.map(counted)
}

/** Writes all columns of a base. */
export async function updateKnowledgeBase(transaction: KnowledgeBasesDb, base: StoredBase): Promise<void> {
  const { id, workspace_id: workspaceId, settings, starter_questions, pii_masking, ...plain } = base
  await transaction
    .updateTable('knowledge_bases')
    .set({
      ...plain,
      settings: JSON.stringify(settings),
      starter_questions: JSON.stringify(starter_questions),
      pii_masking: JSON.stringify(pii_masking),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a base with everything in it, except the index, which is dropped separately. */
export async function deleteKnowledgeBase(
  transaction: KnowledgeBasesDb,
  workspaceId: string,
  id: string,
): Promise<void> {
  await transaction
    .deleteFrom('knowledge_bases')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** The base, unless its workspace keeps nothing (zero data retention): for statements that insert what a reader wrote only where it is kept. */
export const baseThatKeeps = (db: Db<'knowledge_bases' | 'workspaces'>, id: string) =>
  db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .where('knowledge_bases.id', '=', id)
    .where('workspaces.zero_data_retention', '=', false)
