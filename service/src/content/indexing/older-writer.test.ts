import { expect, test } from 'vitest'
import { makeBase, makeSource } from '../../../test/make-records.ts'
import { openTestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { ensurePartitions } from './index-partitions-store.ts'
import { abandonVersion, beginVersion, publishVersion, type BegunVersion } from './indexing-store.ts'

test('a writer of an older text that is slow does not replace the newer one, and one that fails does not remove it', async () => {
  await using storage = await openTestStorage()
  const { db } = storage
  const { id: knowledgeBaseId } = await makeBase(db)
  const sourceId = await makeSource(db, knowledgeBaseId)
  await ensurePartitions(db, knowledgeBaseId)
  const page = {
    knowledgeBaseId,
    sourceId,
    externalId: 'keys',
    url: 'https://docs.example.com/keys',
    language: 'en',
    leftOut: [],
    indexedWith: 'test',
    now: new Date(),
  }
  const begin = async (title: string) => {
    const begun = await beginVersion(db, {
      ...page,
      title,
      newId: newId(),
      visibility: undefined,
      contentHash: title,
    })
    if (begun === undefined) throw new Error('no version was begun')
    return begun
  }
  const publish = async ({ id, version }: BegunVersion, title: string) =>
    await publishVersion(
      db,
      {
        ...page,
        documentId: id,
        version,
        embeddingKey: undefined,
        title,
        chunkCount: 1,
        storedBytes: 0,
        lastChunks: [
          {
            id: newId(),
            ordinal: 0,
            headingPath: [],
            anchor: undefined,
            places: [],
            text: title,
            terms: title,
            reading: '{}',
            embeddedHash: title,
            vector: undefined,
          },
        ],
        pageTerms: title,
        contentHash: title,
        sourceModifiedAt: undefined,
      },
      () => Promise.resolve(),
    )

  const failed = await begin('as nobody could store it')
  const slow = await begin('as it was')
  const quick = await begin('as it is now')
  const { id: documentId, version } = failed
  await abandonVersion(db, { knowledgeBaseId, documentId, version, embeddingKey: undefined })
  expect(await publish(quick, 'as it is now')).toBe(true)
  expect(await publish(slow, 'as it was')).toBe(false)
  // Whoever published it, and lost the answer, takes it for failed.
  await abandonVersion(db, { knowledgeBaseId, documentId, version: quick.version, embeddingKey: undefined })

  const { rows } = await storage.execute(
    `select d.title, d.live_version, (select string_agg(text, ',') from chunks c where c.document_id = d.id) as chunks
     from documents d where d.knowledge_base_id = '${knowledgeBaseId}'`,
  )
  expect(rows).toEqual([{ title: 'as it is now', live_version: 3, chunks: 'as it is now' }])
})
