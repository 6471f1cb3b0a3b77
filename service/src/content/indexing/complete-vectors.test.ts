import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { openPushedBase } from '../../../test/open-pushed-base.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestStorage } from '../../../test/test-storage.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'

const PAGES = [
  {
    title: 'Signing keys',
    text: 'Signing keys are rotated every day at midnight. The old key works for an hour.',
  },
  { title: 'Limits', text: 'A workspace may have a hundred knowledge bases.' },
]

/** Vectors of so many numbers; the texts that it embedded are noted. */
function modelOf(name: string, dimensions: number) {
  const embedded: string[] = []
  const vectorOf = (text: string) => {
    embedded.push(text)
    return new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions))
  }
  const embedder: Embedder = {
    key: name,
    dimensions,
    language: undefined,
    maxTokens: 256,
    countTokens: (text) => Math.ceil(text.length / 4),
    counting: { kind: 'bytes', perToken: 4 },
    embedQuery: async () => new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions)),
    embedPassages: async (texts) => texts.map(vectorOf),
    embedInParts: async (passages) =>
      passages.map((parts) => ({ whole: vectorOf(parts.join('\n')), parts: parts.map(vectorOf) })),
    close: () => Promise.resolve(),
  }
  return { embedder, embedded }
}

const keys = async (citewell: TestService) =>
  await citewell.rows(`
    select d.title, v.embedding_key as key, vector_dims(v.embedding) as dimensions, v.sentences is not null as sentences
    from documents d join chunk_vectors v
      on v.knowledge_base_id = d.knowledge_base_id and v.document_id = d.id and v.version = d.live_version
    order by 1, 2`)
/** Bytes that each document is counted with beside its vectors, eight for each number; and all that its workspace has. */
const bytes = async (citewell: TestService) =>
  await citewell.rows(`
    select d.title, d.stored_bytes - sum(8 * vector_dims(v.embedding) + octet_length(v.sentences)) as "besideVectors",
      sum(d.stored_bytes) over () = w.bytes as "isWorkspaces"
    from documents d join knowledge_bases b on b.id = d.knowledge_base_id
      join chunk_vectors v on v.knowledge_base_id = d.knowledge_base_id and v.document_id = d.id and v.version = d.live_version
      join workspace_storage w on w.workspace_id = b.workspace_id
    group by d.title, d.stored_bytes, w.bytes order by 1`)

verifies(
  'running.embeddings-at-start',
  'after a change of the embedding model, pushed pages and custom answers get its vectors from what is stored',
  async () => {
    await using storage = await openTestStorage()
    const kept = { ...storage, close: () => Promise.resolve() }
    const begin = async ({ embedder }: { embedder: Embedder }, environment: Record<string, string> = {}) =>
      await startTestService(environment, {
        storage: kept,
        surroundings: { createEmbedder: () => Promise.resolve({ embedder, reason: undefined }) },
      })
    const before = modelOf('before', 3)
    let first
    {
      await using citewell = await begin(before)
      const { id } = await openPushedBase(citewell, PAGES)
      await citewell.json('POST', `/api/v1/knowledge-bases/${id}/custom-answers`, {
        question: 'How many bases may I have?',
        answer: 'As many as you need.',
      })
      first = await bytes(citewell)
      expect(first).toHaveLength(3)
      expect(first.every(({ isWorkspaces }) => isWorkspaces === true)).toBe(true)
      expect((await keys(citewell)).map(({ key }) => key)).toEqual(['before', 'before', 'before'])
    }
    const after = modelOf('after', 7)
    await using citewell = await begin(after)
    await expect
      .poll(() => keys(citewell), { timeout: 20_000 })
      .toEqual(
        ['How many bases may I have?', 'Limits', 'Signing keys'].map((title) => ({
          title,
          key: 'after',
          dimensions: 7,
          sentences: true,
        })),
      )
    // The same texts, in the same parts.
    expect(after.embedded.toSorted()).toEqual(before.embedded.toSorted())
    expect(await bytes(citewell)).toEqual(first)
  },
  { timeout: 60_000, tags: ['long'] },
)
