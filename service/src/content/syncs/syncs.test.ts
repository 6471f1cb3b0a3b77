import { verifies } from '@citewell/spec/verifies'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { htmlPage, startFakeSite, textFile, type FakeSite } from '../../../test/fake-site.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

interface Sync {
  id: string
  status: string
  error: string | null
  counts: Record<string, number>
  errors: { kind: string; url: string; reason: string }[]
}

let citewell: TestService
let site: FakeSite

beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

const pages = () => ({
  '/': htmlPage('Home', 'Where everything about widgets begins.', { links: ['/red', '/blue', '/green'] }),
  '/red': htmlPage('Red', 'Red widgets are heated to nine hundred degrees.'),
  '/blue': htmlPage('Blue', 'Blue widgets are cooled in liquid nitrogen.'),
  '/green': htmlPage('Green', 'Green widgets grow on trees in the valley.'),
})

/** A base with a website source. */
async function makeSource(name: string, startUrl: string) {
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'website',
    name: 'site',
    config: { start_urls: [startUrl] },
  })
  return { baseId: base.id, sourceId: source.id }
}

async function sync(sourceId: string): Promise<Sync> {
  const started = await citewell.json<Sync>('POST', `/api/v1/sources/${sourceId}/sync`)
  return await citewell.until<Sync>(
    `/api/v1/syncs/${started.id}`,
    ({ status }) => status !== 'queued' && status !== 'running',
  )
}

async function titlesFound(baseId: string, query: string): Promise<string[]> {
  const found = await citewell.json<{ results: { title: string }[] }>(
    'POST',
    `/api/v1/knowledge-bases/${baseId}/search`,
    { query },
  )
  return found.results.map((result) => result.title)
}

const SLOW_PAGES = 200

async function startSlowSite(afterMs: number): Promise<FakeSite> {
  const paths = Array.from({ length: SLOW_PAGES }, (_, page) => `/p${page}`)
  const slow = paths.map((path, page) => {
    const links = page === 0 ? paths : []
    return [path, { ...htmlPage(`Page ${page}`, `Text of page ${page}.`, { links }), afterMs }] as const
  })
  return await startFakeSite(Object.fromEntries(slow))
}

const ended = ({ status }: Sync) => status !== 'queued' && status !== 'running'

verifies(
  ['syncs.errors', 'syncs.changes', 'syncs.retry', 'syncs.start-all'],
  'what a sync changed and could not read is listed in pages; what failed is read again, by its address, and nothing else; one request reads all sources',
  async () => {
    site = await startFakeSite({ ...pages(), '/red': { status: 500 }, '/blue': { status: 500 } })
    const { baseId, sourceId } = await makeSource('Retried', `${site.origin}/`)
    const first = await sync(sourceId)
    expect(first.counts).toMatchObject({ added: 2, failed: 2 })
    const read = async (path: string, of = first) =>
      await citewell.json<{ data: { url: string; title?: string }[]; next_cursor: string | null }>(
        'GET',
        `/api/v1/syncs/${of.id}/${path}`,
      )
    const page = await read('errors?kind=failed&limit=1')
    expect(page.data).toHaveLength(1)
    const rest = await read(`errors?kind=failed&limit=1&cursor=${page.next_cursor}`)
    expect(rest.next_cursor).toBeNull()
    expect([...page.data, ...rest.data].map(({ url }) => url).toSorted()).toEqual([
      `${site.origin}/blue`,
      `${site.origin}/red`,
    ])
    expect((await read('errors?kind=skipped')).data).toEqual([])
    // In the order in which they were ready.
    const { data: added } = await read('changes?kind=added')
    expect(added.toSorted((a, b) => a.url.localeCompare(b.url))).toEqual([
      { kind: 'added', title: 'Home', url: `${site.origin}/` },
      { kind: 'added', title: 'Green', url: `${site.origin}/green` },
    ])
    expect((await read('changes?kind=removed')).data).toEqual([])
    expect((await citewell.send('GET', `/api/v1/syncs/${first.id}/changes?cursor=x`)).status).toBe(400)

    for (const [path, body] of Object.entries(pages())) site.set(path, body)
    site.set('/green', undefined)
    const retry = async (body?: object) =>
      await citewell.send('POST', `/api/v1/syncs/${first.id}/retry`, body)
    expect((await retry({ urls: [`${site.origin}/green`] })).status).toBe(400)
    const asked = (await (await retry({ urls: [`${site.origin}/red`] })).json()) as Sync
    const again = await citewell.until<Sync>(`/api/v1/syncs/${asked.id}`, ended)
    expect(again).toMatchObject({
      status: 'succeeded',
      retried_addresses: 1,
      counts: { added: 1, removed: 0 },
    })
    expect(await titlesFound(baseId, 'heated to nine hundred degrees')).toContain('Red')
    // Nothing else was read: the page that is gone is still there, the other one that failed is not.
    expect(await titlesFound(baseId, 'grow on trees in the valley')).toContain('Green')
    const { data: documents } = await citewell.json<{ data: { title: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${baseId}/documents`,
    )
    expect(documents.map(({ title }) => title).toSorted()).toEqual(['Green', 'Home', 'Red'])
    // Nor is anything forgotten of the pages that were not read.
    const known = await citewell.rows(`select url from source_pages where source_id = '${sourceId}'`)
    expect(known).toContainEqual({ url: `${site.origin}/green` })
    const nothing = await citewell.send('POST', `/api/v1/syncs/${again.id}/retry`)
    expect(nothing.status).toBe(409)
    expect(await nothing.json()).toMatchObject({
      error: expect.stringContaining('could read every address'),
    })

    site.set('/red', htmlPage('Red', 'Red widgets are heated to eight hundred degrees.'))
    await citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/sources`, { type: 'push', name: 'pushed' })
    const { data, refused } = await citewell.json<{ data: Sync[]; refused: unknown[] }>(
      'POST',
      `/api/v1/knowledge-bases/${baseId}/sync`,
    )
    expect([data.length, refused]).toEqual([1, []])
    const whole = await citewell.until<Sync>(`/api/v1/syncs/${data[0]?.id}`, ended)
    expect(whole).toMatchObject({ retried_addresses: null, counts: { added: 1, changed: 1, removed: 1 } })
    const { data: changes } = await read('changes', whole)
    expect(changes.toSorted((a, b) => a.url.localeCompare(b.url))).toEqual([
      { kind: 'added', title: 'Blue', url: `${site.origin}/blue` },
      { kind: 'removed', title: 'Green', url: `${site.origin}/green` },
      { kind: 'changed', title: 'Red', url: `${site.origin}/red` },
    ])
    await site[Symbol.asyncDispose]()
  },
  { tags: ['long'] },
)

test(
  'what a sync could not read is kept for the last hundred syncs of a source',
  { tags: ['long'] },
  async () => {
    await using other = await startFakeSite({ ...pages(), '/red': { status: 500 } })
    const { baseId, sourceId } = await makeSource('Old errors', `${other.origin}/`)
    await citewell.storage.execute(`with old as (
    insert into syncs (knowledge_base_id, id, source_id, status, counts, finished_at, created_at, updated_at)
    select '${baseId}', gen_random_uuid(), '${sourceId}', 'partial', '{"failed": 1}', now(), at, now()
    from generate_series(now() - interval '101 days', now() - interval '1 day', interval '1 day') at returning id)
    insert into sync_errors (knowledge_base_id, sync_id, ordinal, kind, url, reason)
    select '${baseId}', id, 0, 'failed', 'https://example.com/', 'no' from old`)
    const errors = async () =>
      await citewell.rows(
        `select s.id, exists (select from sync_errors e where e.sync_id = s.id) as kept from syncs s
       where s.source_id = '${sourceId}' order by s.created_at`,
      )
    expect(await errors()).toHaveLength(101)
    await sync(sourceId)
    const kept = await errors()
    expect(kept.map((row) => row['kept'])).toEqual([false, false, ...Array.from({ length: 100 }, () => true)])
    const retry = await citewell.send('POST', `/api/v1/syncs/${String(kept[0]?.['id'])}/retry`)
    expect([retry.status, await retry.json()]).toMatchObject([
      409,
      { error: expect.stringContaining('no longer kept') },
    ])
  },
)

test('a sync that is not there is refused as such', async () => {
  const response = await citewell.send('GET', '/api/v1/syncs/0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10')
  expect([response.status, await response.json()]).toMatchObject([404, { error: 'There is no such sync.' }])
})

test('an address whose secret is not kept is not read again: what is left of it is another page', async () => {
  const secret = '/red?author=0123456789abcdef'
  await using other = await startFakeSite({
    '/': htmlPage('Home', 'Where everything begins.', { links: [secret] }),
    [secret]: textFile('no PDF', 'application/pdf'),
  })
  const { sourceId } = await makeSource('Secret addresses', `${other.origin}/`)
  const { id, errors } = await sync(sourceId)
  const [{ url } = { url: '' }] = errors
  expect(url).toBe(`${other.origin}/red?author=…`)
  const retry = async (body?: object) => await citewell.send('POST', `/api/v1/syncs/${id}/retry`, body)
  const named = await retry({ urls: [url] })
  expect(named.status).toBe(400)
  expect(await named.text()).toContain('sync the source')
  const all = await retry()
  expect(all.status).toBe(409)
  expect(await all.text()).toContain('sync the source')
})

describe('a sync', () => {
  verifies(
    'syncs.counts',
    'a page that gives way to a better address of the same text within one sync counts once',
    async () => {
      await using copies = await startFakeSite({
        '/': htmlPage('Home', 'Where everything begins.', { links: ['/red?from=home', '/second'] }),
        '/second': htmlPage('Second', 'The second page leads on.', { links: ['/red'] }),
        '/red': htmlPage('Red', 'Red widgets are heated to nine hundred degrees.'),
        '/red?from=home': htmlPage('Red', 'Red widgets are heated to nine hundred degrees.'),
      })
      const { sourceId } = await makeSource('Copies', `${copies.origin}/`)
      const { counts } = await sync(sourceId)
      expect(counts).toMatchObject({ added: 3, changed: 0, removed: 0 })
    },
  )

  verifies(
    ['syncs.counts', 'syncs.succeeded'],
    'a sync makes the index match the source: added, unchanged, changed, removed',
    async () => {
      site = await startFakeSite(pages())
      await using _ = site
      const { baseId, sourceId } = await makeSource('Reconciling', `${site.origin}/`)

      const first = await sync(sourceId)
      expect(first).toMatchObject({
        status: 'succeeded',
        counts: { added: 4, changed: 0, removed: 0, failed: 0 },
      })
      expect((await titlesFound(baseId, 'liquid nitrogen'))[0]).toBe('Blue')

      site.forget()
      const second = await sync(sourceId)
      expect(second.counts).toMatchObject({ added: 0, changed: 0, unchanged: 4, removed: 0, fetched: 0 })
      expect(site.bodies().filter((path) => !path.includes('robots') && !path.includes('sitemap'))).toEqual(
        [],
      )

      site.set('/', htmlPage('Home', 'Where everything about widgets begins.', { links: ['/red', '/blue'] }))
      site.set('/blue', htmlPage('Blue', 'Blue widgets are cooled by the north wind.'))
      site.set('/green', undefined)
      const third = await sync(sourceId)
      expect(third.counts).toMatchObject({ added: 0, changed: 2, unchanged: 1, removed: 1 })
      expect((await titlesFound(baseId, 'north wind'))[0]).toBe('Blue')
      expect(await titlesFound(baseId, 'trees in the valley')).not.toContain('Green')
    },
  )

  verifies(
    'syncs.partial',
    'a sync keeps the indexed version of a page that it could not read, and gives the reason',
    async () => {
      site = await startFakeSite(pages())
      await using _ = site
      const { baseId, sourceId } = await makeSource('Failing page', `${site.origin}/`)
      await sync(sourceId)
      site.set('/red', { status: 500, body: 'no' })

      const again = await sync(sourceId)
      expect(again).toMatchObject({ status: 'partial', counts: { failed: 1, removed: 0 } })
      expect(again.errors).toContainEqual(
        expect.objectContaining({ kind: 'failed', url: `${site.origin}/red` }),
      )
      expect((await titlesFound(baseId, 'nine hundred degrees'))[0]).toBe('Red')
    },
  )

  verifies(
    'syncs.failed',
    'a sync of a source that is entirely gone fails, and keeps what is indexed',
    async () => {
      site = await startFakeSite(pages())
      await using _ = site
      const { baseId, sourceId } = await makeSource('Gone site', `${site.origin}/`)
      await sync(sourceId)
      site.set('/', undefined)

      const failed = await sync(sourceId)
      expect(failed.status).toBe('failed')
      expect(failed.error).toMatch(/404/)
      expect((await titlesFound(baseId, 'liquid nitrogen'))[0]).toBe('Blue')
    },
  )

  test('a sync requested twenty times concurrently runs once', { tags: ['long'] }, async () => {
    site = await startFakeSite({ ...pages(), '/': { ...pages()['/'], afterMs: 300 } })
    await using _ = site
    const { sourceId } = await makeSource('Twenty at once', `${site.origin}/`)
    const started = await Promise.all(
      Array.from({ length: 20 }, () => citewell.json<Sync>('POST', `/api/v1/sources/${sourceId}/sync`)),
    )
    expect(new Set(started.map(({ id }) => id)).size).toBe(1)
    const isOver = ({ status }: Sync) => status !== 'queued' && status !== 'running'
    const done = await citewell.until<Sync>(`/api/v1/syncs/${started[0]?.id}`, isOver)
    expect(done.counts).toMatchObject({ added: 4 })
  })

  test('a cancelled sync stops, and keeps what it had read', async () => {
    await using slow = await startSlowSite(60)
    const { baseId, sourceId } = await makeSource('Cancelled', `${slow.origin}/p0`)
    const { id } = await citewell.json<Sync>('POST', `/api/v1/sources/${sourceId}/sync`)
    await citewell.until<Sync>(`/api/v1/syncs/${id}`, ({ counts }) => (counts['added'] ?? 0) >= 3)
    await citewell.json('POST', `/api/v1/syncs/${id}/cancel`)

    const ended = await citewell.until<Sync>(`/api/v1/syncs/${id}`, ({ status }) => status !== 'running')
    expect(ended.status).toBe('cancelled')
    expect(ended.counts['added']).toBeLessThan(200)
    expect((await titlesFound(baseId, 'Text of page 1'))[0]).toMatch(/^Page/)
    // The site answers requests in flight at the end within 60 ms; nothing may follow.
    await setTimeout(200)
    slow.forget()
    await setTimeout(200)
    expect(slow.requests).toEqual([])
  })

  test('a worker whose sync was given to another one stops reading', { tags: ['long'] }, async () => {
    await using slow = await startSlowSite(1_000)
    const { sourceId } = await makeSource('Lost', `${slow.origin}/p0`)
    const { id } = await citewell.json<Sync>('POST', `/api/v1/sources/${sourceId}/sync`)
    await citewell.until<Sync>(`/api/v1/syncs/${id}`, ({ counts }) => (counts['added'] ?? 0) >= 1)
    // As the other one leaves it.
    await citewell.storage.execute(
      `update syncs set lease = null, status = 'succeeded', finished_at = now() where id = '${id}'`,
    )
    await expect
      .poll(
        async () => {
          slow.forget()
          // Longer than a page takes.
          await setTimeout(1_500)
          return slow.requests.length
        },
        { timeout: 15_000 },
      )
      .toBe(0)
  })
})
