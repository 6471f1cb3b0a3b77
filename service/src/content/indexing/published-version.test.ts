import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestRooms } from '../../../test/test-rooms.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { ensurePartitions } from './index-partitions-store.ts'

const KEY = 'a model of this test'

/** A model of which only the length of its vectors matters. */
function embedderOf(dimensions: number): Embedder {
  const vector = () => Float32Array.from({ length: dimensions }, (_, at) => (at === 0 ? 1 : 0))
  return {
    key: KEY,
    dimensions,
    language: undefined,
    maxTokens: 256,
    countTokens: (text) => Math.ceil(text.length / 4),
    embedQuery: () => Promise.resolve(vector()),
    embedPassages: (texts) => Promise.resolve(texts.map(vector)),
    embedInParts: (passages) => Promise.resolve(passages.map(() => ({ whole: vector(), parts: [] }))),
    close: () => Promise.resolve(),
  }
}

const signal = new AbortController().signal

test.each([
  // HNSW takes 2,000 dimensions at most; models behind an API have 3,072.
  ['of vectors that are too long for it', 3_072],
  // The other vectors of the base have two dimensions.
  ['that cannot be built', 3],
])('a published document keeps its passages in a base with a vector index %s', async (_what, dimensions) => {
  const embedder = embedderOf(dimensions)
  await using rooms = await openTestRooms({
    surroundings: { createEmbedder: () => Promise.resolve({ embedder, reason: undefined }) },
  })
  const owner = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const { source } = await rooms.sources.create(owner, base.id, {
    type: 'push',
    name: 'FAQ',
    config: {},
    version_label: null,
    source_group_id: null,
    visibility: 'public',
    refresh: 'none',
  })
  await ensurePartitions(rooms.db, base.id)
  await sql`insert into chunk_vectors (knowledge_base_id, chunk_id, document_id, version, embedding_key, embedding)
    select ${base.id}, gen_random_uuid(), gen_random_uuid(), 1, ${KEY}, '[1,2]'::vector
    from generate_series(1, 4000)`.execute(rooms.db)

  const page = {
    external_id: 'keys',
    title: 'Keys',
    url: 'https://example.com/keys',
    markdown: 'Keys rotate.',
  }
  const [pushed] = await rooms.push.push(owner, source.id, [page], signal)
  expect(pushed?.outcome).toBe('added')
  const { chunks } = await rooms.documents.get(owner, pushed?.id ?? '')
  expect(chunks.map(({ text }) => text)).toEqual(['Keys rotate.'])
  expect(await rooms.indexing.inspectIndex()).toMatchObject({ documents: 1, documentsWithoutChunks: 0 })
})
