import { sql } from 'kysely'
import { lockSourceShared } from './index-sources-store.ts'
import type { IndexDb } from './indexing-tables.ts'

export interface DocumentAtSource {
  knowledgeBaseId: string
  sourceId: string
  externalId: string
  now: Date
}

/** Restricts a document because its source does. Its id if readers could see it until now. A visibility that a person set stays. */
export async function restrictAtSource(db: IndexDb, of: DocumentAtSource): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; hid: boolean }>`
    update documents set is_restricted_at_source = true, updated_at = ${of.now}::timestamptz,
      visibility = case when is_visibility_own then visibility else 'restricted' end
    where knowledge_base_id = ${of.knowledgeBaseId} and source_id = ${of.sourceId}
      and external_id = ${of.externalId} and not is_restricted_at_source
    returning id, visibility = 'restricted' as hid`.execute(db)
  return rows[0]?.hid === true ? rows[0].id : undefined
}

/** Lets a document that its source no longer restricts have the visibility of its source here. Its id if that changed anything. */
export async function followSource(db: IndexDb, of: DocumentAtSource): Promise<string | undefined> {
  const follow = async (transaction: IndexDb) => {
    // Whoever restricts the source or the base meanwhile is waited for: see `visibilityNow`.
    await lockSourceShared(transaction, of)
    const { rows } = await sql<{ id: string }>`
      update documents set is_restricted_at_source = false, updated_at = ${of.now}::timestamptz,
        visibility = case when documents.is_visibility_own then documents.visibility
          when base.type = 'internal' then 'restricted' else source.visibility end
      from knowledge_bases base join sources source on source.knowledge_base_id = base.id
      where documents.knowledge_base_id = ${of.knowledgeBaseId} and documents.source_id = ${of.sourceId}
        and documents.external_id = ${of.externalId} and documents.is_restricted_at_source
        and base.id = ${of.knowledgeBaseId} and source.id = ${of.sourceId}
      returning documents.id`.execute(transaction)
    return rows[0]?.id
  }
  return db.isTransaction ? await follow(db) : await db.transaction().execute(follow)
}
