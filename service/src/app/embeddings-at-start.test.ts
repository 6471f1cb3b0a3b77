import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { openPushedBase } from '../../test/open-pushed-base.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'
import { openTestStorage } from '../../test/test-storage.ts'

const PAGE = { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }
const OTHER = { title: 'Limits', text: 'A workspace may have a hundred knowledge bases.' }

/** The first try comes five seconds after the start. */
const RECOVERY = { timeout: 30_000 }

/** An OpenAI-compatible endpoint that answers while `isUp`. */
async function openEndpoint() {
  const endpoint = { isUp: false, texts: 0 }
  const server = createServer((request, response) => {
    void (async () => {
      const { input } = (await readJson(request)) as { input: string[] }
      if (!endpoint.isUp) return response.writeHead(404).end('no such model')
      endpoint.texts += input.length
      const data = input.map((text, index) => ({ index, embedding: [text.length, 1, 0] }))
      return response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(endpoint, {
    environment: {
      CITEWELL_EMBEDDING_BASE_URL: `http://127.0.0.1:${port}/v1`,
      CITEWELL_EMBEDDING_MODEL: 'embed-1',
    },
    [Symbol.dispose]: () => void server.close(),
  })
}

const embeddingIs = async (citewell: TestService) => {
  const { checks } = (await (await citewell.fetch('/readyz')).json()) as { checks: Record<string, string> }
  return checks['embedding']
}
const doctor = async (citewell: TestService) => {
  const { checks } = await citewell.json<{ checks: { name: string; status: string; detail: string }[] }>(
    'GET',
    '/api/v1/diagnostics',
  )
  return checks.find(({ name }) => name === 'embedding')
}
/** Titles of live documents, and how many vectors of which key they have. */
const vectors = async (citewell: TestService) =>
  await citewell.rows(`
    select d.title, d.live_version as version, v.embedding_key as key, count(v.chunk_id)::integer as count
    from documents d left join chunk_vectors v
      on v.knowledge_base_id = d.knowledge_base_id and v.document_id = d.id and v.version = d.live_version
    group by 1, 2, 3 order by 1`)

verifies(
  'running.embeddings-at-start',
  'an embeddings endpoint that did not answer at the start is used as soon as it does',
  async () => {
    using endpoint = await openEndpoint()
    await using citewell = await startTestService(endpoint.environment)
    expect(await embeddingIs(citewell)).toBe('degraded')
    expect(await doctor(citewell)).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('answered 404: no such model'),
    })
    const base = await openPushedBase(citewell, [PAGE])
    expect(await base.ask({ query: 'When are signing keys rotated?' })).toMatchObject({ covered: true })
    expect(await vectors(citewell)).toMatchObject([{ title: PAGE.title, count: 0 }])

    endpoint.isUp = true
    await expect.poll(() => embeddingIs(citewell), RECOVERY).toBe('up')
    expect(await doctor(citewell)).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('embed-1@'),
    })
    const asked = endpoint.texts
    await base.ask({ query: 'How often are signing keys rotated?' })
    expect(endpoint.texts).toBeGreaterThan(asked)
    // What was indexed by its words alone gets its vectors from what is stored.
    await expect
      .poll(() => vectors(citewell), RECOVERY)
      .toEqual([{ title: PAGE.title, version: 1, key: expect.stringMatching(/:3$/), count: 1 }])
    await base.push([PAGE, OTHER])
    expect(await vectors(citewell)).toMatchObject([
      { title: OTHER.title, version: 1, count: 1 },
      // It is the same text, divided for the limits of this model.
      { title: PAGE.title, version: 2, count: 1 },
    ])
  },
  { timeout: 120_000, tags: ['long'] },
)

verifies(
  'running.embeddings-at-start',
  'documents keep the vectors of an endpoint that does not answer at the start',
  async () => {
    using endpoint = await openEndpoint()
    endpoint.isUp = true
    await using storage = await openTestStorage()
    const kept = { ...storage, close: () => Promise.resolve() }
    const begun = async () => await startTestService(endpoint.environment, { storage: kept })
    let sourceId: string
    {
      await using citewell = await begun()
      ;({ sourceId } = await openPushedBase(citewell, [PAGE]))
    }
    const indexed = [{ title: PAGE.title, version: 1, key: expect.stringMatching(/:3$/), count: 1 }]

    endpoint.isUp = false
    const asked = endpoint.texts
    await using citewell = await begun()
    expect(await embeddingIs(citewell)).toBe('degraded')
    await citewell.json('PUT', `/api/v1/sources/${sourceId}/documents`, {
      documents: [
        {
          external_id: PAGE.title,
          title: PAGE.title,
          url: `https://docs.example.com/${encodeURIComponent(PAGE.title)}`,
          markdown: PAGE.text,
        },
      ],
    })
    expect(await vectors(citewell)).toEqual(indexed)

    endpoint.isUp = true
    await expect.poll(() => embeddingIs(citewell), RECOVERY).toBe('up')
    // One text tried it out.
    expect(endpoint.texts).toBe(asked + 1)
    expect(await vectors(citewell)).toEqual(indexed)
  },
  { timeout: 120_000, tags: ['long'] },
)
