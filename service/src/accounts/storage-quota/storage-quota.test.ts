import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { htmlPage, startFakeSite } from '../../../test/fake-site.ts'
import { createKeptNearbyEmbedder } from '../../../test/create-nearby-embedder.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

const MB = 1_048_576

let citewell: TestService
beforeAll(async () => {
  // Vectors of the same size, of words that no model needs to read.
  const surroundings = { createEmbedder: createKeptNearbyEmbedder }
  citewell = await startTestService({ CITEWELL_WORKSPACE_STORAGE_MB: '1' }, { surroundings })
})
afterAll(() => citewell[Symbol.asyncDispose]())

/** A page of so many words takes more than half of the quota. */
const PAGE_WORDS = 6_000

interface Made {
  id: string
  workspace_id: string
}

const words = (length: number) =>
  Array.from({ length }, (_, word) => `word${((word * 7_919) % 9_973).toString(36)}`).join(' ')

async function makeBase(type: 'push' | 'files') {
  const base = await citewell.json<Made>('POST', '/api/v1/knowledge-bases', { name: `Base ${type}` })
  const { id: source } = await citewell.json<Made>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type,
    name: type,
    config: {},
  })
  const usage = async () => {
    const path = `/api/v1/workspaces/${base.workspace_id}/usage`
    return await citewell.json<{ stored_bytes: number; stored_bytes_limit: number }>('GET', path)
  }
  const push = async (id: string, text: string) => {
    const document = { external_id: id, url: `https://example.com/${id}`, title: id, markdown: text }
    const response = await citewell.send('PUT', `/api/v1/sources/${source}/documents`, {
      documents: [document],
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const upload = async (files: Record<string, string>) => {
    const form = new FormData()
    for (const [name, text] of Object.entries(files)) form.append('file', new File([text], name))
    const response = await citewell.fetch(`/api/v1/sources/${source}/files`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner-token-of-the-tests' },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const remove = () =>
    citewell.send('DELETE', `/api/v1/knowledge-bases/${base.id}`, { confirm: `Base ${type}` })
  return { base, source, usage, push, upload, remove }
}

verifies(
  'plans.storage',
  'of many documents sent concurrently as many are accepted as fit the quota; deleting documents or a base frees space',
  async () => {
    const { usage, push, source, remove } = await makeBase('push')
    const before = await usage()
    expect(before).toMatchObject({ stored_bytes: 0, stored_bytes_limit: MB })

    const sent = await Promise.all(
      Array.from({ length: 16 }, (_, number) => push(`d${number}`, words(900 + number))),
    )

    const taken = sent.filter(({ status }) => status === 200).length
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThan(16)
    const refused = sent.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body['code'], body['retryable']])).toEqual(
      refused.map(() => [403, 'PLAN_REQUIRED', false]),
    )
    expect(refused[0]?.body['error']).toMatch(/1 MB.*Delete documents/)
    const { stored_bytes: full } = await usage()
    expect(full).toBeGreaterThan(MB / 3)
    expect(full).toBeLessThanOrEqual(MB)
    // Refused documents leave nothing in any table.
    const [counted] = await citewell.rows(`select
      (select count(*)::int from documents) as documents,
      (select count(distinct document_id)::int from chunks) as written,
      (select sum(stored_bytes)::int from documents) as bytes`)
    expect(counted).toEqual({ documents: taken, written: taken, bytes: full })

    // The sum that migration 0027 made of what was stored before it.
    const [summed] =
      await citewell.rows(`select (select sum(1000 + 2 * octet_length(c.text) + 2 * octet_length(c.terms)
        + octet_length(c.reading) + coalesce(8 * vector_dims(v.embedding), 0) + coalesce(octet_length(v.sentences), 0))
        from chunks c left join chunk_vectors v on v.knowledge_base_id = c.knowledge_base_id and v.chunk_id = c.id)::int
      + (select sum(2 * octet_length(terms)) from page_words)::int as bytes`)
    expect(summed).toEqual({ bytes: full })

    const [first] = sent.flatMap(({ status }, number) => (status === 200 ? [`d${number}`] : []))
    expect((await push(first ?? '', 'Only a few words.')).status).toBe(200)
    expect((await usage()).stored_bytes).toBeLessThan(full)
    expect((await citewell.send('DELETE', `/api/v1/sources/${source}`)).status).toBe(204)
    expect((await usage()).stored_bytes).toBe(0)

    const other = await makeBase('push')
    await other.push('one', words(500))
    expect((await usage()).stored_bytes).toBeGreaterThan(0)
    await other.remove()
    expect((await usage()).stored_bytes).toBe(0)
    await remove()
  },
  120_000,
)

verifies(
  'plans.storage',
  'files count with their passages: a file that is too large is refused, and a page that is too large fails in its sync',
  async () => {
    const { usage, upload, source, remove } = await makeBase('files')

    expect(await upload({ 'large.md': 'x '.repeat(600_000) })).toMatchObject({
      status: 403,
      body: { code: 'PLAN_REQUIRED' },
    })
    expect((await usage()).stored_bytes).toBe(0)
    // The file itself fits the quota, but not with its passages.
    const sent = await upload({ 'small.md': 'How the valve is opened.', 'wordy.md': words(30_000) })
    expect(sent.status).toBe(201)

    const { data } = await citewell.until<{ data: { id: string; status: string }[] }>(
      `/api/v1/sources/${source}/syncs`,
      (syncs) => syncs.data.some(({ status }) => status === 'partial'),
    )
    const synced = await citewell.json<{ status: string; errors: unknown[] }>(
      'GET',
      `/api/v1/syncs/${data.find(({ status }) => status === 'partial')?.id}`,
    )
    expect(synced).toMatchObject({
      status: 'partial',
      errors: [{ url: expect.stringContaining('wordy.md'), reason: expect.stringContaining('1 MB') }],
    })
    await remove()
    expect((await usage()).stored_bytes).toBe(0)
  },
  { timeout: 120_000, tags: ['long'] },
)

verifies(
  'plans.storage',
  'a version that is held back counts besides the one that readers see',
  async () => {
    await using site = await startFakeSite({ '/': htmlPage('Words', words(PAGE_WORDS)) })
    const base = await citewell.json<Made>('POST', '/api/v1/knowledge-bases', { name: 'Base held' })
    const { id: source } = await citewell.json<Made>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      type: 'website',
      name: 'held',
      config: { start_urls: [`${site.origin}/`] },
    })
    const stored = async () => {
      const path = `/api/v1/workspaces/${base.workspace_id}/usage`
      return (await citewell.json<{ stored_bytes: number }>('GET', path)).stored_bytes
    }
    const sync = async () => {
      const { id } = await citewell.json<Made>('POST', `/api/v1/sources/${source}/sync`)
      return await citewell.until<{ status: string; errors: unknown[] }>(
        `/api/v1/syncs/${id}`,
        ({ status }) => status !== 'queued' && status !== 'running',
      )
    }
    expect((await sync()).status).toBe('succeeded')
    const before = await stored()
    expect(before).toBeGreaterThan(0.6 * MB)
    await citewell.json('PATCH', `/api/v1/sources/${source}`, { hold_back_drop: 0 })
    // It is smaller, but the one before it stays.
    site.set('/', htmlPage('Words', words(PAGE_WORDS).replace(/^\w+ \w+/, 'Fewer')))
    expect(await sync()).toMatchObject({
      status: 'partial',
      errors: [{ reason: expect.stringContaining('1 MB') }],
    })
    expect(await stored()).toBe(before)
    await citewell.send('DELETE', `/api/v1/knowledge-bases/${base.id}`, { confirm: 'Base held' })
  },
  120_000,
)
