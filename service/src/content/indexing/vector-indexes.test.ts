import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeBase } from '../../../test/make-records.ts'
import { openTestStorage } from '../../../test/test-storage.ts'
import { ensurePartitions } from './index-partitions-store.ts'
import { createVectorIndexes } from './vector-indexes.ts'

const SPACE = { key: 'small', dimensions: 3 }

test('a base gets its vector index when it is large enough, whichever process wrote the vectors', async () => {
  await using storage = await openTestStorage()
  const { db } = storage
  const { id: base } = await makeBase(db)
  await ensurePartitions(db, base)
  const write = async (vectors: number) => {
    await sql`insert into chunk_vectors
      (knowledge_base_id, chunk_id, document_id, version, embedding_key, embedding)
      select ${base}, gen_random_uuid(), gen_random_uuid(), 1, ${SPACE.key}, array[random(), random(), 1]::vector
      from generate_series(1, ${vectors}::integer)`.execute(db)
  }
  const hasIndex = async () => {
    const { rows } = await sql`select from pg_indexes where indexname like 'hnsw_%'`.execute(db)
    return rows.length === 1
  }
  const indexes = createVectorIndexes(db, () => SPACE)

  await write(3_999)
  await indexes.onWritten(base, 3_999)
  expect(await hasIndex()).toBe(false)
  // Another process wrote this one; this process counts it as well, when it has written some more.
  await write(1)
  await indexes.onWritten(base, 249)
  expect(await hasIndex()).toBe(false)
  await indexes.onWritten(base, 1)
  expect(await hasIndex()).toBe(true)
})
