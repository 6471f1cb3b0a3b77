import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

type SourceDocumentsDb = Db<'documents' | 'held_documents'>

/** Documents of a source, without those that go as soon as it is released. */
const selectSourceDocuments = (db: SourceDocumentsDb, of: { knowledgeBaseId: string; sourceId: string }) =>
  db
    .selectFrom('documents')
    .select(['id', 'external_id as externalId', 'title', 'url'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('held_documents as held')
            .select('held.document_id')
            .whereRef('held.knowledge_base_id', '=', 'documents.knowledge_base_id')
            .whereRef('held.document_id', '=', 'documents.id')
            .where('held.version', 'is', null),
        ),
      ),
    )

/** The documents in the index for these items of a source. */
export async function findSourceDocuments(
  db: SourceDocumentsDb,
  of: { knowledgeBaseId: string; sourceId: string },
  externalIds: readonly string[],
): Promise<{ id: string; externalId: string; title: string; url: string }[]> {
  if (externalIds.length === 0) return []
  return await selectSourceDocuments(db, of)
    // One array parameter: a statement can take 65,535 parameters.
    .where('external_id', '=', sql<string>`any(${[...externalIds]}::text[])`)
    .execute()
}

/** The external ids of the documents of a source that are restricted because it refuses them to some. */
export async function listRestrictedDocuments(
  db: SourceDocumentsDb,
  of: { knowledgeBaseId: string; sourceId: string },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('documents')
    .select('external_id as externalId')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where('is_restricted_at_source', '=', true)
    .execute()
  return new Set(rows.map(({ externalId }) => externalId))
}

/** What limits left out of the documents of a source, in the version that is read last: each with how often, and one of the addresses. */
export async function listLeftOut(
  db: SourceDocumentsDb,
  of: { knowledgeBaseId: string; sourceId: string; most: number },
): Promise<{ limit: string; times: number; first: string }[]> {
  const { rows } = await sql<{ limit: string; times: number; first: string }>`
    select told.sentence as "limit", count(*)::integer as times, min(read.url) as first
    from (
      select coalesce(held.url, documents.url) as url,
        case when held.document_id is null then documents.left_out else held.left_out end as left_out
      from documents
      left join held_documents held
        on held.knowledge_base_id = documents.knowledge_base_id and held.document_id = documents.id
      where documents.knowledge_base_id = ${of.knowledgeBaseId} and documents.source_id = ${of.sourceId}
        and (held.document_id is null or held.version is not null)
    ) read
    cross join lateral unnest(read.left_out) as told(sentence)
    group by told.sentence
    order by times desc, told.sentence
    limit ${of.most}`.execute(db)
  return rows
}

/** Every document in the index for a source. */
export async function listSourceDocuments(
  db: SourceDocumentsDb,
  of: { knowledgeBaseId: string; sourceId: string },
): Promise<{ id: string; externalId: string }[]> {
  return await selectSourceDocuments(db, of).execute()
}
