import { sql } from 'kysely'
import { lockSourceShared } from './index-sources-store.ts'
import { INDEX_TABLES, type IndexDb } from './indexing-tables.ts'
import {
  beginVersion,
  dropVersions,
  insertChunks,
  removeDocuments,
  type BegunVersion,
  type NewVersion,
  type Publication,
} from './indexing-store.ts'

export interface OfSource {
  knowledgeBaseId: string
  sourceId: string
}

/** One array parameter, however many ids: a statement can take 65,535 parameters. */
const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

/**
 * The same as `beginVersion` for a version that is held back. It is compared with what is held of the document. Undefined if that has the
 * same content, or if the document is again what readers see: then nothing of it is held any more, and `whenUnchanged` has run in the same
 * transaction.
 */
export async function beginHeldVersion(
  db: IndexDb,
  document: NewVersion,
  whenUnchanged: (transaction: IndexDb) => Promise<void>,
): Promise<BegunVersion | undefined> {
  return await db.transaction().execute(async (transaction: IndexDb) => {
    await lockSourceShared(transaction, document)
    const known = await transaction
      .selectFrom('documents')
      .leftJoin('held_documents as held', (join) =>
        join
          .onRef('held.knowledge_base_id', '=', 'documents.knowledge_base_id')
          .onRef('held.document_id', '=', 'documents.id'),
      )
      .select((row) => [
        'documents.id',
        'held.document_id as heldId',
        'held.version as heldVersion',
        'held.stored_bytes as heldBytes',
        row('held.content_hash', '=', document.contentHash)
          .and('held.indexed_with', '=', document.indexedWith)
          .as('isHeld'),
        row('documents.content_hash', '=', document.contentHash)
          .and('documents.indexed_with', '=', document.indexedWith)
          .and('documents.live_version', 'is not', null)
          .as('isLive'),
      ])
      .where('documents.knowledge_base_id', '=', document.knowledgeBaseId)
      .where('documents.source_id', '=', document.sourceId)
      .where('documents.external_id', '=', document.externalId)
      .forUpdate('documents')
      .executeTakeFirst()
    if (known?.isHeld === true || known?.isLive === true) {
      if (known.isHeld !== true && known.heldId !== null)
        await dropHeld(transaction, document.knowledgeBaseId, [known.id])
      await whenUnchanged(transaction)
      return undefined
    }
    const begun = await beginVersion(transaction, document)
    return begun && { ...begun, storedBytes: Number(known?.heldBytes ?? 0) }
  })
}

/** Records a version that is complete, and that no reader sees, in place of one that was held before. False as `publishVersion`. */
export async function holdVersion(
  db: IndexDb,
  held: Publication,
  alsoInTransaction: (transaction: IndexDb) => Promise<void>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: IndexDb) => {
    await lockSourceShared(transaction, held)
    const { rows } = await sql<{ live_version: number | null }>`
      update documents d set updated_at = ${held.now}::timestamptz,
        stored_bytes = d.stored_bytes + ${held.storedBytes}::bigint - coalesce((
          select h.stored_bytes from held_documents h
          where h.knowledge_base_id = d.knowledge_base_id and h.document_id = d.id), 0)
      where d.knowledge_base_id = ${held.knowledgeBaseId} and d.id = ${held.documentId}
        and d.latest_version = ${held.version}::integer
      returning d.live_version`.execute(transaction)
    const [document] = rows
    if (document === undefined) {
      await dropVersions(transaction, held, '=')
      return false
    }
    const content = {
      version: held.version,
      url: held.url,
      title: held.title,
      language: held.language ?? null,
      chunk_count: held.chunkCount,
      stored_bytes: held.storedBytes,
      content_hash: held.contentHash,
      indexed_with: held.indexedWith,
      left_out: [...held.leftOut],
      source_modified_at: held.sourceModifiedAt ?? null,
      follows_source: false,
      held_at: held.now,
    }
    await transaction
      .insertInto('held_documents')
      .values({
        knowledge_base_id: held.knowledgeBaseId,
        document_id: held.documentId,
        source_id: held.sourceId,
        ...content,
      })
      .onConflict((conflict) => conflict.columns(['knowledge_base_id', 'document_id']).doUpdateSet(content))
      .execute()
    for (const table of INDEX_TABLES) {
      await transaction
        .deleteFrom(table)
        .where('knowledge_base_id', '=', held.knowledgeBaseId)
        .where('document_id', '=', held.documentId)
        .where('version', 'not in', [held.version, document.live_version ?? held.version])
        .execute()
    }
    await insertChunks(transaction, held, held.lastChunks, held.pageTerms)
    await alsoInTransaction(transaction)
    return true
  })
}

/** Records that documents go when the source is released. Those that no reader has seen go now. */
export async function holdRemovals(
  db: IndexDb,
  of: OfSource & { documentIds: readonly string[]; now: Date },
  alsoInTransaction: (transaction: IndexDb) => Promise<void>,
): Promise<void> {
  if (of.documentIds.length === 0) return
  await db.transaction().execute(async (transaction: IndexDb) => {
    await lockSourceShared(transaction, of)
    await alsoInTransaction(transaction)
    await dropHeld(transaction, of.knowledgeBaseId, of.documentIds)
    await sql`
      insert into held_documents (knowledge_base_id, document_id, source_id, held_at)
      select knowledge_base_id, id, source_id, ${of.now}::timestamptz from documents
      where knowledge_base_id = ${of.knowledgeBaseId} and source_id = ${of.sourceId} and id = ${anyOf(of.documentIds)}`.execute(
      transaction,
    )
  })
}

/**
 * Deletes what is held of documents, and documents that no reader has seen.
 *
 * @param transaction the caller holds a lock on the source
 */
async function dropHeld(
  transaction: IndexDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
): Promise<void> {
  await sql`
    update documents d set stored_bytes = d.stored_bytes - h.stored_bytes from held_documents h
    where h.knowledge_base_id = d.knowledge_base_id and h.document_id = d.id
      and d.knowledge_base_id = ${knowledgeBaseId} and d.id = ${anyOf(documentIds)}`.execute(transaction)
  await dropOtherVersions(transaction, knowledgeBaseId, documentIds)
  await transaction
    .deleteFrom('held_documents')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('document_id', '=', anyOf(documentIds))
    .execute()
  const unseen = await transaction
    .selectFrom('documents')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', anyOf(documentIds))
    .where('live_version', 'is', null)
    .execute()
  await removeDocuments(
    transaction,
    knowledgeBaseId,
    unseen.map(({ id }) => id),
  )
}

/** Deletes everything made from versions of these documents that are not live. */
async function dropOtherVersions(
  transaction: IndexDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
): Promise<void> {
  for (const table of INDEX_TABLES) {
    await sql`
      delete from ${sql.table(table)} part using documents d
      where part.knowledge_base_id = ${knowledgeBaseId} and d.knowledge_base_id = ${knowledgeBaseId}
        and d.id = ${anyOf(documentIds)} and part.document_id = d.id
        and part.version is distinct from d.live_version`.execute(transaction)
  }
}

/**
 * Notes whether a held document follows the visibility of its source when it is released. False if nothing is held of it.
 */
export async function followOnRelease(
  db: IndexDb,
  of: OfSource & { externalId: string; follows: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update held_documents h set follows_source = ${of.follows}::boolean from documents d
    where d.knowledge_base_id = ${of.knowledgeBaseId} and d.source_id = ${of.sourceId} and d.external_id = ${of.externalId}
      and h.knowledge_base_id = d.knowledge_base_id and h.document_id = d.id and h.version is not null
    returning h.document_id`.execute(db)
  return rows.length > 0
}

async function heldIds(
  transaction: IndexDb,
  { knowledgeBaseId, sourceId }: OfSource,
): Promise<{ id: string; goes: boolean; follows: boolean }[]> {
  return await transaction
    .selectFrom('held_documents')
    .select((row) => [
      'document_id as id',
      row('version', 'is', null).as('goes'),
      'follows_source as follows',
    ])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('source_id', '=', sourceId)
    .$narrowType<{ goes: boolean }>()
    .execute()
}

/** Locks the base and the source against whoever indexes one of its documents, in the order of `lockSourceShared`. */
async function lockSource(transaction: IndexDb, { knowledgeBaseId, sourceId }: OfSource): Promise<void> {
  await sql`with base as (select id from knowledge_bases where id = ${knowledgeBaseId} for key share)
    select from base join sources source on source.knowledge_base_id = base.id
    where source.id = ${sourceId} for update of source`.execute(transaction)
}

/**
 * Makes everything that is held of a source live, in one transaction.
 *
 * @param decide in that transaction; false: it must not be released, and nothing is changed
 * @returns the ids of the documents whose visibility may have changed; undefined if it was not released
 */
export async function releaseHeld(
  db: IndexDb,
  of: OfSource & { now: Date },
  decide: (transaction: IndexDb) => Promise<boolean>,
): Promise<string[] | undefined> {
  const { knowledgeBaseId, sourceId } = of
  return await db.transaction().execute(async (transaction: IndexDb) => {
    await lockSource(transaction, of)
    if (!(await decide(transaction))) return undefined
    const held = await heldIds(transaction, of)
    await removeDocuments(
      transaction,
      knowledgeBaseId,
      held.filter(({ goes }) => goes).map(({ id }) => id),
    )
    await sql`
      update documents d set live_version = h.version, url = h.url, title = h.title, language = h.language,
        chunk_count = h.chunk_count, stored_bytes = h.stored_bytes, content_hash = h.content_hash,
        indexed_with = h.indexed_with, left_out = h.left_out, source_modified_at = h.source_modified_at,
        indexed_at = ${of.now}::timestamptz, updated_at = ${of.now}::timestamptz,
        is_restricted_at_source = d.is_restricted_at_source and not h.follows_source,
        visibility = case when not h.follows_source or not d.is_restricted_at_source or d.is_visibility_own then d.visibility
          when base.type = 'internal' then 'restricted' else source.visibility end
      from held_documents h
        join knowledge_bases base on base.id = h.knowledge_base_id
        join sources source on source.knowledge_base_id = h.knowledge_base_id and source.id = h.source_id
      where h.knowledge_base_id = ${knowledgeBaseId} and h.source_id = ${sourceId}
        and d.knowledge_base_id = h.knowledge_base_id and d.id = h.document_id`.execute(transaction)
    const kept = held.filter(({ goes }) => !goes)
    await dropOtherVersions(
      transaction,
      knowledgeBaseId,
      kept.map(({ id }) => id),
    )
    await transaction
      .deleteFrom('held_documents')
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('source_id', '=', sourceId)
      .execute()
    return kept.filter(({ follows }) => follows).map(({ id }) => id)
  })
}

/** Deletes everything that is held of a source, in one transaction; `decide` as above. False if it was not discarded. */
export async function discardHeld(
  db: IndexDb,
  of: OfSource,
  decide: (transaction: IndexDb) => Promise<boolean>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: IndexDb) => {
    await lockSource(transaction, of)
    if (!(await decide(transaction))) return false
    const held = await heldIds(transaction, of)
    await dropHeld(
      transaction,
      of.knowledgeBaseId,
      held.map(({ id }) => id),
    )
    return true
  })
}

export interface HeldDocument {
  id: string
  kind: 'added' | 'changed' | 'removed'
  title: string
  url: string
}

const KIND = sql<HeldDocument['kind']>`case when h.version is null then 'removed'
  when d.live_version is null then 'added' else 'changed' end`

/** What is held of a source, by document id. */
export async function listHeldDocuments(
  db: IndexDb,
  of: OfSource & { after: string | undefined; limit: number },
): Promise<HeldDocument[]> {
  const isAfter = of.after === undefined ? sql`true` : sql`h.document_id > ${of.after}::uuid`
  const { rows } = await sql<HeldDocument>`
    select h.document_id as id, ${KIND} as kind, coalesce(h.title, d.title) as title, coalesce(h.url, d.url) as url
    from held_documents h
    join documents d on d.knowledge_base_id = h.knowledge_base_id and d.id = h.document_id
    where h.knowledge_base_id = ${of.knowledgeBaseId} and h.source_id = ${of.sourceId} and ${isAfter}
    order by h.document_id limit ${of.limit}`.execute(db)
  return rows
}

export async function countHeldDocuments(
  db: IndexDb,
  of: OfSource,
): Promise<Record<HeldDocument['kind'], number>> {
  const { rows } = await sql<{ kind: HeldDocument['kind']; count: number }>`
    select ${KIND} as kind, count(*)::integer as count
    from held_documents h
    join documents d on d.knowledge_base_id = h.knowledge_base_id and d.id = h.document_id
    where h.knowledge_base_id = ${of.knowledgeBaseId} and h.source_id = ${of.sourceId} group by 1`.execute(db)
  const counts = new Map(rows.map(({ kind, count }) => [kind, count]))
  return {
    added: counts.get('added') ?? 0,
    changed: counts.get('changed') ?? 0,
    removed: counts.get('removed') ?? 0,
  }
}
