import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export interface StoredVector {
  message_id: string
  vector: Buffer
}

export async function readVectors(
  db: Db<'question_vectors'>,
  of: { knowledgeBaseId: string; embeddingKey: string; messageIds: readonly string[] },
): Promise<StoredVector[]> {
  if (of.messageIds.length === 0) return []
  return await db
    .selectFrom('question_vectors')
    .select(['message_id', 'vector'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('embedding_key', '=', of.embeddingKey)
    .where('message_id', '=', sql<string>`any(${[...of.messageIds]}::uuid[])`)
    .execute()
}

/** Stores vectors of messages that still exist, replacing those of another model. */
export async function saveVectors(
  db: Db<'question_vectors'>,
  of: { knowledgeBaseId: string; embeddingKey: string; vectors: readonly StoredVector[] },
): Promise<void> {
  const ids = of.vectors.map(({ message_id }) => message_id)
  const packed = of.vectors.map(({ vector }) => vector.toString('base64'))
  await sql`
    insert into question_vectors (knowledge_base_id, message_id, embedding_key, vector)
    select m.knowledge_base_id, m.id, ${of.embeddingKey}, decode(given.packed, 'base64')
    from unnest(${ids}::uuid[], ${packed}::text[]) as given (id, packed)
    join messages m on m.knowledge_base_id = ${of.knowledgeBaseId} and m.id = given.id
    on conflict (knowledge_base_id, message_id)
      do update set embedding_key = excluded.embedding_key, vector = excluded.vector`.execute(db)
}
