import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { htmlPage, startFakeSite, textFile } from '../../../test/fake-site.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
let baseId: string
beforeAll(async () => {
  api = await openTestManagement()
})
beforeEach(async () => {
  baseId = (await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' }))['id'] ?? ''
})
afterAll(() => api.close())

const make = async (body: object) =>
  await api.ask('POST', `/knowledge-bases/${baseId}/sources`, { name: 'docs', ...body })
const WEBSITE = { type: 'website', config: { start_urls: ['https://docs.example.com/'] } }

verifies(
  ['sources.create', 'sources.list', 'sources.change', 'sources.delete'],
  'a source is created with the defaults of its type, changed, listed and deleted',
  async () => {
    const { status, body: created } = await api.send('POST', `/knowledge-bases/${baseId}/sources`, {
      name: 'docs',
      ...WEBSITE,
    })
    expect(status).toBe(201)
    expect(await api.ask('GET', `/sources/${String(created['id'])}`)).toEqual(created)
    expect(created).toMatchObject({
      status: 'idle',
      refresh: 'none',
      visibility: 'public',
      config: {
        start_urls: ['https://docs.example.com/'],
        use_sitemap: true,
        render_js: 'auto',
        max_pages: 10_000,
      },
    })
    const changed = await api.ask('PATCH', `/sources/${String(created['id'])}`, {
      version_label: 'v2',
      config: { max_pages: 5 },
    })
    expect(changed).toMatchObject({ version_label: 'v2', config: { max_pages: 5, use_sitemap: true } })
    const listed = await api.ask<{ data: object[] }>('GET', `/knowledge-bases/${baseId}/sources`)
    expect(listed).toEqual({ data: [changed], next_cursor: null })
    expect((await api.send('DELETE', `/sources/${String(created['id'])}`)).status).toBe(204)
    expect((await api.send('GET', `/sources/${String(created['id'])}`)).status).toBe(404)
  },
)

verifies(
  'sources.configs',
  'a config that does not match the type is refused with each faulty field',
  async () => {
    const statusOf = async (body: object) =>
      await api.send('POST', `/knowledge-bases/${baseId}/sources`, { name: 'docs', ...body })
    expect(await statusOf({ type: 'website', config: { start_urls: ['ftp://example.com'] } })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'config.start_urls.0' }] },
    })
    expect((await statusOf({ type: 'openapi', config: {} })).status).toBe(400)
    expect((await statusOf({ type: 'nothing', config: {} })).status).toBe(400)
    const { id } = await make(WEBSITE)
    expect(
      await api.send('PATCH', `/sources/${id}`, { config: { sitemap_url: 'https://a.example' } }),
    ).toMatchObject({
      status: 400,
    })
  },
)

test('patterns that take too long end a preview with a reason, and keep nobody else waiting', async () => {
  await using site = await startFakeSite({
    '/': htmlPage('Start', 'Install it with one command.', {
      links: Array.from({ length: 30 }, (_, at) => `/${'a'.repeat(1_200)}/${at}`),
    }),
  })
  const slow = Array.from({ length: 100 }, (_, at) => `${'{a,b}'.repeat(6)}${'*a'.repeat(230)}${at}`)
  for (const patterns of [{ include: slow }, { exclude: slow }]) {
    let heldMs = 0
    let seen = performance.now()
    const timer = setInterval(() => {
      heldMs = Math.max(heldMs, performance.now() - seen)
      seen = performance.now()
    }, 10)
    const preview = await api.ask<{ error: string }>('POST', `/knowledge-bases/${baseId}/sources/preview`, {
      type: 'website',
      config: { start_urls: [`${site.origin}/`], render_js: false, ...patterns },
    })
    clearInterval(timer)
    expect(preview.error).toMatch(/patterns of this source takes too long/)
    // 1,100 ms were measured; 20,000 without the limit.
    expect(heldMs).toBeLessThan(5_000)
  }
})

verifies('sources.preview', 'a preview reads a source that is not stored', async () => {
  await using site = await startFakeSite({
    '/robots.txt': textFile('User-agent: *\nDisallow: /admin'),
    '/': htmlPage('Start', 'Install it with one command.', { links: ['/admin', '/a', '/b', '/c'] }),
    '/a': htmlPage('Page A', 'The first page.'),
    '/b': htmlPage('Page B', 'The second page.'),
    '/c': htmlPage('Page C', 'The third page.'),
  })
  const preview = await api.ask<{ pages: { title: string }[] }>(
    'POST',
    `/knowledge-bases/${baseId}/sources/preview`,
    { type: 'website', config: { start_urls: [`${site.origin}/`], use_sitemap: false }, limit: 3 },
  )
  expect(preview).toMatchObject({
    left_out: [{ url: `${site.origin}/admin` }],
    error: null,
    is_complete: false,
  })
  expect(preview.pages.map(({ title }) => title)).toEqual(['Start', 'Page A', 'Page B'])
  expect(await api.ask('GET', `/knowledge-bases/${baseId}/sources`)).toMatchObject({ data: [] })
  expect(
    (await api.send('POST', `/knowledge-bases/${baseId}/sources/preview`, { type: 'push' })).status,
  ).toBe(400)
})

test('a preview can be watched: what the site is, each page as it is read, and the whole at the end', async () => {
  await using site = await startFakeSite({
    '/docs/': htmlPage('Acme docs', 'The first page.', {
      links: ['/docs/a', '/docs/gone', '/blog/'],
      head: '<meta name="generator" content="VitePress v1.6">',
    }),
    '/docs/a': htmlPage('Page A', 'The second page.'),
  })
  const path = `/knowledge-bases/${baseId}/sources/preview/events`
  const config = { start_urls: [`${site.origin}/docs/`] }
  const stream = await api.fetch('POST', path, { type: 'website', config })
  const frames = (await stream.text())
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as Record<string, unknown>)
  expect(frames.filter((frame) => 'page' in frame && frame['done'] === false)).toMatchObject([
    { page: { title: 'Acme docs' } },
    { page: { title: 'Page A' } },
  ])
  expect(frames).toContainEqual({
    left_out: { url: `${site.origin}/blog/`, reason: 'outside of /docs/' },
    done: false,
  })
  const last = frames.at(-1)
  expect(last).toMatchObject({
    done: true,
    is_complete: true,
    detected: { title: 'Acme docs', generator: 'VitePress v1.6', sitemap: null },
    pages: [{ title: 'Acme docs' }, { title: 'Page A' }],
  })
  expect(await api.ask('GET', `/knowledge-bases/${baseId}/sources`)).toMatchObject({ data: [] })
  expect((await api.send('POST', path, { type: 'push' })).status).toBe(400)
  expect((await api.send('POST', path, { type: 'website', config: { start_urls: [] } })).status).toBe(400)
})

test('a base with the sample has the guide as its source, and reads it', async () => {
  const base = await api.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Sample', sample: true })
  expect(await api.ask('GET', `/knowledge-bases/${base.id}/sources`)).toMatchObject({
    data: [{ name: 'Citewell', type: 'repository', status: 'queued' }],
  })
})

verifies(
  ['syncs.start', 'syncs.list', 'syncs.read', 'syncs.cancel', 'syncs.follow', 'syncs.one-at-once'],
  'a sync is started once, listed, followed to its end, and cancelled',
  async () => {
    const { id } = await make(WEBSITE)
    const started = await api.send('POST', `/sources/${id}/sync`)
    expect(started).toMatchObject({ status: 202, body: { status: 'queued', source_id: id } })
    const syncId = String(started.body['id'])
    expect((await api.ask('POST', `/sources/${id}/sync`))['id']).toBe(syncId)
    expect(await api.ask('GET', `/sources/${id}`)).toMatchObject({
      status: 'queued',
      last_sync: { id: syncId },
    })
    expect(await api.ask('GET', `/sources/${id}/syncs`)).toMatchObject({
      data: [{ id: syncId }],
      next_cursor: null,
    })

    const stream = await api.fetch('GET', `/syncs/${syncId}/events`)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const following = stream.text()
    expect(await api.ask('POST', `/syncs/${syncId}/cancel`)).toMatchObject({ status: 'cancelled' })
    const frames = (await following).split('\n\n').filter((frame) => frame !== '')
    const last = JSON.parse((frames.at(-1) ?? '').replace(/^data: /, '')) as Record<string, unknown>
    expect(last).toMatchObject({ status: 'cancelled', errors: [] })
    expect(await api.ask('GET', `/syncs/${syncId}`)).toMatchObject({ status: 'cancelled', errors: [] })
  },
)

test('syncs of another workspace are not found', async () => {
  const { id } = await make(WEBSITE)
  const syncId = (await api.ask('POST', `/sources/${id}/sync`))['id'] ?? ''
  const stranger = await api.joinWorkspace()
  const { token } = await api.accessTokens.create(stranger, {
    name: 'x',
    scopes: ['admin'],
    expiresAt: undefined,
  })
  const asked = [
    ['GET', `/syncs/${syncId}`],
    ['GET', `/syncs/${syncId}/events`],
    ['POST', `/syncs/${syncId}/cancel`],
    ['GET', `/sources/${id}/syncs`],
    ['POST', `/sources/${id}/sync`],
  ] as const
  for (const [method, path] of asked) {
    expect([path, (await api.send(method, path, undefined, token)).status]).toEqual([path, 404])
  }
})

verifies('sources.files', 'files are uploaded as a multipart form', async () => {
  const { id } = await make({ type: 'files' })
  const form = new FormData()
  form.append('file', new File(['# Keys'], 'keys.md'))
  form.append('file', new File(['plain'], 'größe.txt'))
  const uploaded = await api.send('POST', `/sources/${id}/files`, form)
  expect(uploaded).toMatchObject({
    status: 201,
    body: {
      files: [
        { name: 'keys.md', byte_length: 6 },
        { name: 'größe.txt', media_type: 'text/plain' },
      ],
      sync: { status: 'queued', source_id: id },
    },
  })
})

verifies(
  ['documents.list', 'documents.change', 'documents.take-back'],
  'documents are pushed, listed, read, restricted and removed',
  async () => {
    const { id } = await make({ type: 'push' })
    const document = {
      external_id: 'faq/1',
      title: 'Keys',
      url: 'https://example.com/faq#1',
      markdown: 'Keys rotate daily.',
    }
    const pushed = await api.ask<{ documents: { id: string; outcome: string }[] }>(
      'PUT',
      `/sources/${id}/documents`,
      {
        documents: [document],
      },
    )
    const documentId = pushed.documents[0]?.id ?? ''
    expect(pushed.documents).toMatchObject([{ external_id: 'faq/1', outcome: 'added' }])
    expect(await api.ask('GET', `/knowledge-bases/${baseId}/documents?source_id=${id}`)).toMatchObject({
      data: [{ id: documentId, title: 'Keys', chunk_count: 1 }],
    })
    expect(await api.ask('PATCH', `/documents/${documentId}`, { visibility: 'restricted' })).toMatchObject({
      visibility: 'restricted',
      chunks: [{ text: 'Keys rotate daily.' }],
    })
    expect(await api.ask('GET', `/knowledge-bases/${baseId}`)).toMatchObject({ document_count: 1 })
    expect(await api.ask('GET', `/sources/${id}`)).toMatchObject({ document_count: 1 })
    expect((await api.send('DELETE', `/sources/${id}/documents/${encodeURIComponent('faq/1')}`)).status).toBe(
      204,
    )
    expect((await api.send('GET', `/documents/${documentId}`)).status).toBe(404)
  },
)

verifies('documents.push', 'a pushed document has either Markdown or HTML', async () => {
  const { id } = await make({ type: 'push' })
  const document = { external_id: 'a', title: 'Keys', url: 'https://example.com/a' }
  for (const content of [{}, { markdown: 'a', html: '<p>a' }]) {
    const refused = await api.send('PUT', `/sources/${id}/documents`, {
      documents: [{ ...document, ...content }],
    })
    expect(refused.status).toBe(400)
  }
})

test('groups, keys and widgets are created, changed and deleted', async () => {
  const group = await api.ask('POST', `/knowledge-bases/${baseId}/source-groups`, { name: 'v2' })
  expect(await api.ask('PATCH', `/source-groups/${group['id']}`, { name: 'v3' })).toMatchObject({
    name: 'v3',
  })
  const key = await api.ask('POST', `/knowledge-bases/${baseId}/client-keys`, {
    name: 'Server',
    kind: 'secret',
    allowed_source_group_ids: [group['id']],
  })
  expect(key['client_secret']).toMatch(/^cw_sk_/)
  expect(await api.ask('PATCH', `/client-keys/${key['id']}`, { name: 'Other' })).not.toHaveProperty(
    'client_secret',
  )
  expect((await api.send('PATCH', `/client-keys/${key['id']}`, { allow_mcp_access: false })).status).toBe(400)
  expect((await api.send('DELETE', `/client-keys/${key['id']}`)).status).toBe(204)
  const keys = await api.ask<{ data: { id: string; status: string }[] }>(
    'GET',
    `/knowledge-bases/${baseId}/client-keys`,
  )
  expect(keys.data.find((one) => one.id === key['id'])?.status).toBe('revoked')
  const widget = await api.ask('POST', `/knowledge-bases/${baseId}/widgets`, { name: 'Help' })
  expect(await api.ask('PATCH', `/widgets/${widget['id']}`, { enabled: false })).toMatchObject({
    enabled: false,
  })
  expect((await api.send('DELETE', `/widgets/${widget['id']}`)).status).toBe(204)
  expect((await api.send('DELETE', `/source-groups/${group['id']}`)).status).toBe(204)
})
