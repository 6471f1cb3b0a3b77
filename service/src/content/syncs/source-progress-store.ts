import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type ProgressDb = Db<'source_progress' | 'source_pages' | 'documents' | 'held_documents'>

interface OfSource {
  knowledgeBaseId: string
  sourceId: string
}

/** How far a source was read. */
export interface Progress {
  /** Undefined: everything is to be read. */
  cursor: Record<string, unknown> | undefined
  /** External ids to be read first. */
  retry: readonly string[]
  /** When the source was last seen as a whole, by the same settings. */
  wholeAt: Date | undefined
}

const NONE: Progress = { cursor: undefined, retry: [], wholeAt: undefined }

/** What a source is read with. */
export interface ReadAs {
  /** How documents are made of it. */
  pipeline: string
  /** Its type and settings. */
  settings: string
}

const nameOf = ({ pipeline, settings }: ReadAs) => `${pipeline} ${settings}`

/**
 * How far a source was read in this way, and whether it was read with other settings last.
 *
 * @param readAs what the cursor depends on: a cursor of other settings is not used
 */
export async function findProgress(
  db: ProgressDb,
  of: OfSource,
  readAs: ReadAs,
): Promise<{ progress: Progress; hadOtherSettings: boolean }> {
  const row = await db
    .selectFrom('source_progress')
    .select(['read_as', 'cursor', 'retry', 'whole_at'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .executeTakeFirst()
  if (row?.read_as !== nameOf(readAs)) {
    const [, settings] = row?.read_as.split(' ') ?? []
    return { progress: NONE, hadOtherSettings: settings !== undefined && settings !== readAs.settings }
  }
  return {
    progress: { cursor: row.cursor ?? undefined, retry: row.retry, wholeAt: row.whole_at ?? undefined },
    hadOtherSettings: false,
  }
}

export async function saveProgress(
  db: ProgressDb,
  of: OfSource,
  progress: Progress & { readAs: ReadAs; now: Date },
): Promise<void> {
  const values = {
    cursor: progress.cursor === undefined ? null : JSON.stringify(progress.cursor),
    read_as: nameOf(progress.readAs),
    retry: JSON.stringify(progress.retry),
    whole_at: progress.wholeAt ?? null,
    updated_at: progress.now,
  }
  await db
    .insertInto('source_progress')
    .values({ knowledge_base_id: of.knowledgeBaseId, source_id: of.sourceId, ...values })
    .onConflict((conflict) => conflict.columns(['knowledge_base_id', 'source_id']).doUpdateSet(values))
    .execute()
}

/** What was read with one pipeline is as if read with another one: all pages of the base have been made so. */
export async function moveProgress(
  db: ProgressDb,
  of: { knowledgeBaseId: string; from: string; to: string },
): Promise<void> {
  await sql`update source_progress set read_as = ${of.to}::text || ' ' || split_part(read_as, ' ', 2)
    where knowledge_base_id = ${of.knowledgeBaseId} and split_part(read_as, ' ', 1) = ${of.from}`.execute(db)
}

/** What each item of a source was when it was last read (`ListedItem.changed`), if the index still has it as this pipeline makes it. */
export async function listMarkers(
  db: ProgressDb,
  of: OfSource,
  pipeline: string,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ url: string; etag: string }>`
    select page.url, page.etag from source_pages page
    left join documents document on document.knowledge_base_id = page.knowledge_base_id
      and document.source_id = page.source_id and document.external_id = page.external_id
    left join held_documents held on held.knowledge_base_id = document.knowledge_base_id and held.document_id = document.id
    where page.knowledge_base_id = ${of.knowledgeBaseId} and page.source_id = ${of.sourceId} and page.etag is not null
      and (page.external_id is null
        or (held.document_id is null and document.live_version is not null and document.indexed_with = ${pipeline})
        or (held.version is not null and held.indexed_with = ${pipeline}))`.execute(db)
  return new Map(rows.map((row) => [row.url, row.etag]))
}

/** Deletes what is remembered of these items. */
export async function forgetItems(
  db: ProgressDb,
  of: OfSource,
  externalIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('source_pages')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    // One array parameter: a statement can take 65,535 parameters.
    .where('url', '=', sql<string>`any(${[...externalIds]}::text[])`)
    .execute()
}
