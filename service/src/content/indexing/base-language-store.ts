import { sql } from 'kysely'
import { lockSourceShared } from './index-sources-store.ts'
import type { IndexDb } from './indexing-tables.ts'
import type { SampledPage } from './language-of-pages.ts'
import { languagePlace } from './pipeline.ts'

/** Pages that are looked at: always the same ones of a base, as long as they are there. */
const MOST_PAGES = 100

/** Passages and characters of each. */
const PASSAGES_OF_PAGE = 3
const CHARACTERS_OF_PAGE = 2_000

/** Some live pages of a base, with their text where they do not say a language other than English themselves. */
export async function samplePages(db: IndexDb, knowledgeBaseId: string): Promise<SampledPage[]> {
  const { rows } = await sql<{ language: string | null; text: string | null }>`
    select page.language, case when page.language is null or page.language ilike 'en%' then (
      select left(string_agg(passage.text, E'\n\n' order by passage.ordinal), ${CHARACTERS_OF_PAGE}::integer) from (
        select text, ordinal from chunks where knowledge_base_id = ${knowledgeBaseId}
          and document_id = page.id and version = page.live_version
        order by ordinal limit ${PASSAGES_OF_PAGE}) passage) end as text
    from (
      select id, language, live_version from documents
      where knowledge_base_id = ${knowledgeBaseId} and live_version is not null
      order by md5(id::text) limit ${MOST_PAGES}) page`.execute(db)
  return rows.map(({ language, text }) => ({ language: language ?? undefined, text: text ?? undefined }))
}

/** A live page whose words were analysed in another language than that of its base. */
export interface PageInOtherLanguage {
  id: string
  sourceId: string
  version: number
  title: string
  indexedWith: string
}

/** Some of them after a document. Not those of which a version is held: they are made anew when their source is read. */
export async function listInOtherLanguage(
  db: IndexDb,
  of: { knowledgeBaseId: string; language: string | undefined; after: string | undefined; limit: number },
): Promise<PageInOtherLanguage[]> {
  const { separator, at, name } = languagePlace(of.language)
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'source_id', 'live_version', 'title', 'indexed_with'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('live_version', 'is not', null)
    // Not what was indexed before pipelines named a language: it is read anew.
    .where(sql<string>`split_part(indexed_with, ${separator}, ${at}::integer)`, 'not in', [name, ''])
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('held_documents')
            .select('held_documents.document_id')
            .whereRef('held_documents.knowledge_base_id', '=', 'documents.knowledge_base_id')
            .whereRef('held_documents.document_id', '=', 'documents.id'),
        ),
      ),
    )
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    sourceId: row.source_id,
    version: row.live_version ?? 0,
    title: row.title,
    indexedWith: row.indexed_with ?? '',
  }))
}

export interface AnalysedPassage {
  id: string
  headingPath: string[]
  text: string
  terms: string
}

/** The passages of a version, in order. */
export async function listPassages(
  db: IndexDb,
  of: { knowledgeBaseId: string; documentId: string; version: number },
): Promise<AnalysedPassage[]> {
  const rows = await db
    .selectFrom('chunks')
    .select(['id', 'heading_path', 'text', 'terms'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('document_id', '=', of.documentId)
    .where('version', '=', of.version)
    .orderBy('ordinal')
    .execute()
  return rows.map(({ heading_path: headingPath, ...row }) => ({ ...row, headingPath }))
}

/** Passages per statement. */
const ROWS_PER_UPDATE = 200

/**
 * Replaces the analysed words of a live page, all in one transaction: questions see it in one language or the other. False if another
 * version has become live, or another process has done it.
 */
export async function replaceTerms(
  db: IndexDb,
  of: PageInOtherLanguage & { knowledgeBaseId: string },
  by: {
    terms: readonly { id: string; terms: string }[]
    pageTerms: string
    pipeline: string
    grownBy: number
  },
): Promise<boolean> {
  const { knowledgeBaseId } = of
  return await db.transaction().execute(async (transaction: IndexDb) => {
    await lockSourceShared(transaction, of)
    const updated = await transaction
      .updateTable('documents')
      .set((row) => ({
        indexed_with: by.pipeline,
        stored_bytes: sql<number>`greatest(${row.ref('stored_bytes')} + ${by.grownBy}::bigint, 0)`,
      }))
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', '=', of.id)
      .where('live_version', '=', of.version)
      .where('indexed_with', '=', of.indexedWith)
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) return false
    for (let start = 0; start < by.terms.length; start += ROWS_PER_UPDATE) {
      const rows = by.terms.slice(start, start + ROWS_PER_UPDATE)
      await sql`update chunks set terms = given.terms
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ terms }) => terms)}::text[]) as given (id, terms)
        where chunks.knowledge_base_id = ${knowledgeBaseId} and chunks.id = given.id`.execute(transaction)
    }
    await transaction
      .updateTable('page_words')
      .set({ terms: by.pageTerms })
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('document_id', '=', of.id)
      .where('version', '=', of.version)
      .execute()
    return true
  })
}
