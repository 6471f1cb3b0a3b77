import { sql, type Selectable } from 'kysely'
import type { PageRequest } from '../../kernel/paging.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { EvaluationQuestionsTable } from './evaluation-tables.ts'

export type EvaluationSetDb = Db<
  'evaluation_questions' | 'knowledge_bases' | 'messages' | 'feedback' | 'documents'
>

export type EvaluationQuestionRow = Selectable<EvaluationQuestionsTable>

/** Last added first. */
export async function listQuestions(
  db: EvaluationSetDb,
  of: PageRequest & { knowledgeBaseId: string },
): Promise<EvaluationQuestionRow[]> {
  return await db
    .selectFrom('evaluation_questions')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('id', '<', of.after ?? ''))
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
}

/** By its id only: the caller must check access to its base. */
export async function findQuestion(
  db: EvaluationSetDb,
  id: string,
): Promise<EvaluationQuestionRow | undefined> {
  return await db.selectFrom('evaluation_questions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locks the base, so that its questions can be counted before some are added. */
export async function lockSet(transaction: EvaluationSetDb, knowledgeBaseId: string): Promise<void> {
  await transaction
    .selectFrom('knowledge_bases')
    .select('id')
    .where('id', '=', knowledgeBaseId)
    .forUpdate()
    .execute()
}

/** The questions of the set, as they are written. */
export async function readSet(
  db: EvaluationSetDb,
  knowledgeBaseId: string,
): Promise<EvaluationQuestionRow[]> {
  return await db
    .selectFrom('evaluation_questions')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .orderBy('id')
    .execute()
}

export async function insertQuestions(
  db: EvaluationSetDb,
  rows: readonly EvaluationQuestionRow[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('evaluation_questions')
    .values(rows.map((row) => ({ ...row, urls: JSON.stringify(row.urls) })))
    .execute()
}

export async function updateQuestion(
  db: EvaluationSetDb,
  { knowledge_base_id: knowledgeBaseId, id }: Pick<EvaluationQuestionRow, 'knowledge_base_id' | 'id'>,
  { urls, ...changes }: Pick<EvaluationQuestionRow, 'question' | 'urls' | 'answerable' | 'updated_at'>,
): Promise<void> {
  await db
    .updateTable('evaluation_questions')
    .set({ ...changes, urls: JSON.stringify(urls) })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}

/** Questions whose answers were rated up, with the public pages that these cite; the last rated first, each wording once. */
export async function readRatedUp(
  db: EvaluationSetDb,
  of: { knowledgeBaseId: string; most: number },
): Promise<{ query: string; pages: { document_id: string; url: string }[] }[]> {
  const { rows } = await sql<{ query: string; pages: { document_id: string; url: string }[] }>`
    select query, pages from (
      select distinct on (lower(m.query)) m.query, f.updated_at as rated_at, (
        select coalesce(jsonb_agg(distinct jsonb_build_object('document_id', d.id, 'url', d.url)), '[]')
        from jsonb_array_elements(m.citations) citation
        join documents d on d.knowledge_base_id = m.knowledge_base_id and d.id = (citation ->> 'document_id')::uuid
        where d.live_version is not null and d.visibility = 'public') as pages
      from feedback f
      join messages m on m.knowledge_base_id = f.knowledge_base_id and m.id = f.message_id
      where f.knowledge_base_id = ${of.knowledgeBaseId} and f.vote = 'up' and m.covered and m.stopped_by is null
        and m.rewritten_query is null
      order by lower(m.query), f.updated_at desc
    ) rated where jsonb_array_length(pages) > 0 order by rated_at desc limit ${of.most}`.execute(db)
  return rows
}
