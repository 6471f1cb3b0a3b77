import { sql } from 'kysely'
import { vectorText } from '../../platform/storage/vector-text.ts'
import type { IndexDb } from './indexing-tables.ts'
import type { PassageVectors } from './indexing-store.ts'
import { pipelinePart } from './pipeline.ts'
import { vectorBytes } from './stored-bytes.ts'

export interface LackingDocument {
  knowledgeBaseId: string
  id: string
  version: number
  title: string
  language: string | null
}

/** Documents after this one, in order, of which a passage that readers find has no vector of the embedding key. */
export async function documentsLackingVectors(
  db: IndexDb,
  embeddingKey: string,
  after: Pick<LackingDocument, 'knowledgeBaseId' | 'id'> | undefined,
  most: number,
): Promise<LackingDocument[]> {
  const ending = pipelinePart(embeddingKey)
  // What was indexed with the key has all of its vectors: passages are not looked at.
  const { rows } = await sql<LackingDocument>`
    select d.knowledge_base_id as "knowledgeBaseId", d.id, d.live_version as version, d.title, d.language
    from documents d
    where d.live_version is not null
      and right(coalesce(d.indexed_with, ''), length(${ending}::text)) <> ${ending}::text
      ${after === undefined ? sql`` : sql`and (d.knowledge_base_id, d.id) > (${after.knowledgeBaseId}::uuid, ${after.id}::uuid)`}
      and exists (
        select from chunks c
        where c.knowledge_base_id = d.knowledge_base_id and c.document_id = d.id and c.version = d.live_version
          and not exists (
            select from chunk_vectors v
            where v.knowledge_base_id = c.knowledge_base_id and v.chunk_id = c.id and v.embedding_key = ${embeddingKey}))
    order by d.knowledge_base_id, d.id
    limit ${most}`.execute(db)
  return rows
}

export interface LackingPassage {
  id: string
  ordinal: number
  headingPath: string[]
  text: string
  hash: string
}

/** The next passages of the document that lack a vector of the key, in their order. */
export async function passagesLackingVectors(
  db: IndexDb,
  { knowledgeBaseId, id, version }: LackingDocument,
  embeddingKey: string,
  afterOrdinal: number,
  most: number,
): Promise<LackingPassage[]> {
  const { rows } = await sql<LackingPassage>`
    select c.id, c.ordinal, c.heading_path as "headingPath", c.text, c.embedded_hash as hash
    from chunks c
    where c.knowledge_base_id = ${knowledgeBaseId} and c.document_id = ${id} and c.version = ${version}
      and c.ordinal > ${afterOrdinal}
      and not exists (
        select from chunk_vectors v
        where v.knowledge_base_id = c.knowledge_base_id and v.chunk_id = c.id and v.embedding_key = ${embeddingKey})
    order by c.ordinal
    limit ${most}`.execute(db)
  return rows
}

/**
 * Writes vectors of passages in place of those of other models. `requireSpace` is asked, with what the document grows by, before that is
 * committed.
 *
 * @returns how many; none if the version is not the live one any more
 */
export async function completeVectors(
  db: IndexDb,
  { knowledgeBaseId, id, version }: LackingDocument,
  embeddingKey: string,
  vectors: readonly { chunkId: string; vector: PassageVectors }[],
  requireSpace: (transaction: IndexDb, grownBy: number) => Promise<void>,
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const document = await transaction
      .selectFrom('documents')
      .select('stored_bytes')
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', '=', id)
      .where('live_version', '=', version)
      .forUpdate()
      .executeTakeFirst()
    if (document === undefined) return 0
    const replaced = await transaction
      .deleteFrom('chunk_vectors')
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('chunk_id', '=', sql<string>`any(${vectors.map(({ chunkId }) => chunkId)}::uuid[])`)
      .returning([
        sql<number>`vector_dims(embedding)`.as('dimensions'),
        sql<number | null>`octet_length(sentences)`.as('sentences'),
      ])
      .execute()
    await transaction
      .insertInto('chunk_vectors')
      .values(
        vectors.map(({ chunkId, vector }) => ({
          knowledge_base_id: knowledgeBaseId,
          document_id: id,
          version,
          chunk_id: chunkId,
          embedding_key: embeddingKey,
          embedding: vectorText(vector.whole),
          sentences: vector.sentences ?? null,
        })),
      )
      .execute()
    const grownBy =
      vectorBytes(vectors.map(({ vector }) => [vector.whole.length, vector.sentences?.byteLength])) -
      vectorBytes(replaced.map(({ dimensions, sentences }) => [dimensions, sentences]))
    await transaction
      .updateTable('documents')
      .set({ stored_bytes: Number(document.stored_bytes) + grownBy })
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', '=', id)
      .execute()
    if (grownBy > 0) await requireSpace(transaction, grownBy)
    return vectors.length
  })
}
