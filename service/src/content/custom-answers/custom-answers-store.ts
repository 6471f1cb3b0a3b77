import { sql, type Selectable } from 'kysely'
import type { CustomAnswersTable } from './custom-answers-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type CustomAnswersDb = Db<
  | 'custom_answers'
  | 'documents'
  | 'sources'
  | 'source_groups'
  | 'knowledge_bases'
  | 'chunks'
  | 'chunk_vectors'
  | 'page_words'
  | 'source_pages'
>

/** A custom answer with the fields that its document and its source hold. */
export interface CustomAnswerRow extends Selectable<CustomAnswersTable> {
  visibility: 'public' | 'restricted'
  source_group_id: string | null
  document_id: string
}

const selectCustomAnswers = (db: CustomAnswersDb) =>
  db
    .selectFrom('custom_answers')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'custom_answers.knowledge_base_id')
        .onRef('documents.source_id', '=', 'custom_answers.source_id')
        .onRef('documents.external_id', '=', 'custom_answers.external_id'),
    )
    .innerJoin('sources', withinBase('sources.id', 'custom_answers.source_id'))
    .selectAll('custom_answers')
    .select(['documents.visibility', 'documents.id as document_id', 'sources.source_group_id'])

export async function findCustomAnswer(
  db: CustomAnswersDb,
  knowledgeBaseId: string,
  id: string,
): Promise<CustomAnswerRow | undefined> {
  return await selectCustomAnswers(db)
    .where('custom_answers.knowledge_base_id', '=', knowledgeBaseId)
    .where('custom_answers.id', '=', id)
    .executeTakeFirst()
}

export async function listCustomAnswers(
  db: CustomAnswersDb,
  of: PageRequest & { knowledgeBaseId: string },
): Promise<CustomAnswerRow[]> {
  return await selectCustomAnswers(db)
    .where('custom_answers.knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('custom_answers.id', '>', of.after ?? ''))
    .orderBy('custom_answers.id')
    .limit(of.limit)
    .execute()
}

/**
 * An answer of an active base that the caller may read: public ones of external bases for anyone, all answers of their bases for members.
 */
export async function findShownCustomAnswer(
  db: CustomAnswersDb,
  id: string,
  memberBaseIds: readonly string[],
): Promise<{ question: string; answer: string } | undefined> {
  return await selectCustomAnswers(db)
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'custom_answers.knowledge_base_id')
    .where('custom_answers.id', '=', id)
    .where('knowledge_bases.status', '=', 'active')
    .where(
      sql<boolean>`((documents.visibility = 'public' and knowledge_bases.type = 'external')
        or documents.knowledge_base_id = any(${[...memberBaseIds]}::uuid[]))`,
    )
    .executeTakeFirst()
}

/** Inserts or replaces an answer, in the transaction that makes its document visible. */
export async function saveCustomAnswer(
  db: Db<'custom_answers'>,
  answer: Selectable<CustomAnswersTable>,
): Promise<void> {
  const { question, answer: text, url, updated_at } = answer
  await db
    .insertInto('custom_answers')
    .values(answer)
    .onConflict((conflict) =>
      conflict.columns(['knowledge_base_id', 'id']).doUpdateSet({ question, answer: text, url, updated_at }),
    )
    .execute()
}

/** Moves the document of an answer to another source; the answer moves with it. */
export async function moveToSource(
  db: Db<'documents'>,
  of: { knowledgeBaseId: string; documentId: string; sourceId: string },
): Promise<void> {
  await db
    .updateTable('documents')
    .set({ source_id: of.sourceId })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.documentId)
    .where('source_id', '<>', of.sourceId)
    .execute()
}

/** Which of the documents are custom answers, each with its number of passages. */
export async function findCuratedAmong(
  db: CustomAnswersDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
): Promise<Map<string, number>> {
  if (documentIds.length === 0) return new Map()
  const rows = await selectCustomAnswers(db)
    .select('documents.chunk_count')
    .where('custom_answers.knowledge_base_id', '=', knowledgeBaseId)
    .where('documents.id', '=', sql<string>`any(${[...documentIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.document_id, row.chunk_count]))
}
