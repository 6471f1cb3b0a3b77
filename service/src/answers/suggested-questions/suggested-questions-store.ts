import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { AskedDocument } from './write-candidates.ts'

export type SuggestedQuestionsDb = Db<
  'suggested_questions' | 'knowledge_bases' | 'documents' | 'sources' | 'chunks'
>

/** The starter-question setting of a base, and what else is needed to write the questions. */
export async function readBase(db: SuggestedQuestionsDb, knowledgeBaseId: string) {
  return await db
    .selectFrom('knowledge_bases')
    .select(['name', 'language', 'starter_questions'])
    .where('id', '=', knowledgeBaseId)
    .executeTakeFirst()
}

/** Public pages that have passages, shortest addresses first. */
export async function readPublicDocuments(
  db: SuggestedQuestionsDb,
  knowledgeBaseId: string,
  most: number,
): Promise<AskedDocument[]> {
  const rows = await db
    .selectFrom('documents')
    .innerJoin('sources', withinBase('sources.id', 'documents.source_id'))
    .select([
      'documents.id',
      'documents.source_id',
      'sources.source_group_id',
      'documents.title',
      'documents.url',
      'documents.language',
      'documents.chunk_count',
    ])
    .where('documents.knowledge_base_id', '=', knowledgeBaseId)
    .where('documents.visibility', '=', 'public')
    .where('documents.live_version', 'is not', null)
    .where('documents.chunk_count', '>', 0)
    .orderBy(sql`length(documents.url)`)
    .orderBy('documents.url')
    .orderBy('documents.id')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    documentId: row.id,
    sourceId: row.source_id,
    groupId: row.source_group_id ?? undefined,
    title: row.title,
    url: row.url,
    language: row.language ?? undefined,
    chunkCount: row.chunk_count,
  }))
}

/** Headings of public pages that are questions. */
export async function readQuestionHeadings(db: SuggestedQuestionsDb, knowledgeBaseId: string, most: number) {
  const found = await sql<{ document_id: string; heading: string }>`
    select distinct chunks.document_id, heading.text as heading
    from chunks
    join documents on documents.knowledge_base_id = chunks.knowledge_base_id
      and documents.id = chunks.document_id and documents.live_version = chunks.version
    cross join lateral unnest(chunks.heading_path) as heading(text)
    where chunks.knowledge_base_id = ${knowledgeBaseId}
      and documents.visibility = 'public'
      and (heading.text like '%?' or heading.text like '%？')
    order by heading.text, chunks.document_id
    limit ${most}`.execute(db)
  return found.rows.map((row) => ({ documentId: row.document_id, heading: row.heading }))
}

/** The beginnings of these pages. */
export async function readProse(
  db: SuggestedQuestionsDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
): Promise<string> {
  if (documentIds.length === 0) return ''
  const rows = await db
    .selectFrom('chunks')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'chunks.knowledge_base_id')
        .onRef('documents.id', '=', 'chunks.document_id')
        .onRef('documents.live_version', '=', 'chunks.version'),
    )
    .select('chunks.text')
    .where('chunks.knowledge_base_id', '=', knowledgeBaseId)
    .where('chunks.document_id', 'in', documentIds)
    .where('chunks.ordinal', '<', 4)
    .where('documents.visibility', '=', 'public')
    .execute()
  return rows.map((row) => row.text).join('\n\n')
}

/**
 * A fingerprint of the pages that questions are written from, which changes with each of them, in any process. Each page contributes
 * its id, its public version, and its group.
 */
export async function readPagesFingerprint(
  db: SuggestedQuestionsDb,
  knowledgeBaseId: string,
): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select coalesce((select language from knowledge_bases where id = ${knowledgeBaseId}), '') || count(*) || ':' || coalesce(sum(hashtextextended(
      documents.id::text || coalesce(sources.source_group_id::text, ''), documents.live_version)), 0) as state
    from documents
    join sources on sources.knowledge_base_id = documents.knowledge_base_id and sources.id = documents.source_id
    where documents.knowledge_base_id = ${knowledgeBaseId} and documents.visibility = 'public'
      and documents.live_version is not null and documents.chunk_count > 0`.execute(db)
  return rows[0]?.state ?? ''
}

/** The generated questions of a base as stored, and their time. */
export async function readGenerated(db: SuggestedQuestionsDb, knowledgeBaseId: string) {
  return await db
    .selectFrom('suggested_questions')
    .select(['questions', 'made_from', 'made_at'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .executeTakeFirst()
}

export async function saveGenerated(
  db: SuggestedQuestionsDb,
  knowledgeBaseId: string,
  questions: readonly { question: string; documentId: string }[],
  made: { from: string; at: Date },
): Promise<void> {
  const row = { questions: JSON.stringify(questions), made_from: made.from, made_at: made.at }
  await db
    .insertInto('suggested_questions')
    .values({ knowledge_base_id: knowledgeBaseId, ...row })
    .onConflict((conflict) => conflict.column('knowledge_base_id').doUpdateSet(row))
    .execute()
}

/** The subset of the pages that are currently public and in these groups. */
export async function findStillPublic(
  db: SuggestedQuestionsDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
  groupIds: readonly string[] | undefined,
): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('documents')
    .innerJoin('sources', withinBase('sources.id', 'documents.source_id'))
    .select('documents.id')
    .where('documents.knowledge_base_id', '=', knowledgeBaseId)
    .where('documents.id', 'in', documentIds)
    .where('documents.visibility', '=', 'public')
    .where('documents.live_version', 'is not', null)
    .$if(groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', 'in', [...(groupIds ?? [])]),
    )
    .execute()
  return new Set(rows.map((row) => row.id))
}
