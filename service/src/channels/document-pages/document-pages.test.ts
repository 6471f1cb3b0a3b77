import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMember, openMemberBrowser } from '../../../test/connect-as-member.ts'
import { openEveryKindOfSource, type EveryKindOfSource } from '../../../test/every-kind-of-source.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService } from '../../../test/start-service.ts'

let world: EveryKindOfSource
beforeAll(async () => {
  world = await openEveryKindOfSource()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const UNKNOWN = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'
const pathOf = (title: string) => new URL(world.documentOf(title).url).pathname
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await outsideRequest(new URL(path, world.citewell.address), {
    headers,
    redirect: 'manual',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function citationsOf(query: string): Promise<{ url: string; chunk_id: string }[]> {
  const answer = await world.ask(`/knowledge-bases/${world.base.id}/chat`, { query })
  const last = (await answer.text()).split('\n').findLast((line) => line.startsWith('data: {'))
  return (JSON.parse(last?.slice(6) ?? '{}') as { citations: { url: string; chunk_id: string }[] }).citations
}

const workspaceOf = async () =>
  (await world.citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')).workspaces[0]?.id ?? ''

verifies(
  'documents.page',
  'a citation opens the document as it was indexed, at the cited words, which are marked',
  async () => {
    const [citation] = await citationsOf('How long does a refund of a broken gadget take?')
    const url = new URL(citation?.url ?? '')
    expect(url.pathname).toBe(pathOf('Refunds'))
    expect(url.searchParams.get('passage')).toBe(citation?.chunk_id)
    expect(url.hash).toMatch(/^#how-long-it-takes:~:text=A%20refund%20of%20a%20broken/)

    const { status, headers, text } = await get(url.pathname + url.search)
    expect(status).toBe(200)
    const marked = [...text.matchAll(/<mark[^>]*>([^<]*)<\/mark>/g)].map(([, words]) => words).join('')
    expect(marked).toBe('A refund of a broken gadget takes nine days.')
    expect(text.match(/id="how-long-it-takes"/g)).toEqual(['id="how-long-it-takes"'])
    expect(text).toMatch(/<mark id="how-long-it-takes">/)
    expect(text).toContain('<h2>How long it takes</h2>')
    expect(text).toContain('Refunds are for everybody.')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('cache-control')).toBe('no-cache')
  },
)

test('without a citation the page opens at any section; a passage that no longer exists is found by its words', async () => {
  const plain = await get(pathOf('Refunds'))
  expect(plain.text).toContain('id="how-long-it-takes"')
  expect(plain.text).not.toContain('<mark')
  const stale = await get(
    `${pathOf('Refunds')}?passage=${UNKNOWN}&from=Other%20words%20stand&to=stand%20here.`,
  )
  expect(stale.text).toContain('<mark id="how-long-it-takes">Other words stand here.</mark>')
  expect(stale.text).toContain(`id="p-${UNKNOWN}"`)
  for (const odd of [
    '?passage=x',
    '?part=99',
    '?part=-1',
    `?passage=${UNKNOWN}&from=%00`,
    '?from[]=a',
    `?from=${'a'.repeat(9_000)}`,
  ])
    expect([odd, (await get(pathOf('Refunds') + odd)).status]).toEqual([odd, 200])
})

test('a cached page is valid as long as the document is unchanged and may be read', async () => {
  const first = await get(pathOf('Shipping'))
  const etag = first.headers.get('etag') ?? ''
  expect((await get(pathOf('Shipping'), { 'if-none-match': etag })).status).toBe(304)
  const { id } = world.documentOf('Shipping')
  await world.citewell.json('PATCH', `/api/v1/documents/${id}`, { visibility: 'restricted' })
  expect((await get(pathOf('Shipping'), { 'if-none-match': etag })).status).toBe(404)
  await world.citewell.json('PATCH', `/api/v1/documents/${id}`, { visibility: 'public' })
  expect((await get(pathOf('Shipping'), { 'if-none-match': etag })).status).toBe(304)
})

/** The response for an anonymous visitor, without the address that they requested. */
const strangersView = async (path: string) => {
  const { status, headers, text } = await get(path)
  const shown = Object.fromEntries(
    [...headers].filter(([name]) => !/^(?:date|x-request-id|content-length)$/.test(name)),
  )
  const asked = [encodeURIComponent(path), path]
  return { status, shown, text: asked.reduce((page, address) => page.replaceAll(address, 'ASKED'), text) }
}

verifies(
  'documents.page-readers',
  'an anonymous visitor learns nothing about restricted documents; members who may chat read them',
  async () => {
    const { citewell, base, within } = world
    const salaries = pathOf('Salaries')
    const nothing = await strangersView(`/documents/${UNKNOWN}`)
    expect(nothing.status).toBe(404)
    expect(nothing.text).toContain('/sign-in?to=ASKED')
    for (const path of [
      salaries,
      `${salaries}/original`,
      '/documents/x',
      '/documents/%00',
      `/answers/${UNKNOWN}`,
    ])
      expect([path, await strangersView(path)]).toEqual([path, nothing])

    const workspace = await workspaceOf()
    const member = await openMemberBrowser(citewell, await makeMember(citewell, workspace))
    const view = async (path: string) => {
      const { response, html } = await member.go(`${citewell.address}${path}`, [])
      return { status: response.status, html, cache: response.headers.get('cache-control') }
    }
    expect(await view(salaries)).toMatchObject({ status: 200, cache: 'no-store' })
    expect((await view(salaries)).html).toContain('heliotrope')
    expect((await view(`${salaries}/original`)).html).toContain('heliotrope')

    await citewell.json('PATCH', within, { workspace_members_can_chat: false })
    expect((await view(salaries)).status).toBe(404)
    expect((await view(salaries)).html).not.toMatch(/sign-in|heliotrope|Salaries/)
    expect((await view(pathOf('Refunds'))).status).toBe(200)
    await citewell.json('PATCH', within, { workspace_members_can_chat: true })

    const answers = pathOf('Who invented gadgets?')
    expect((await get(answers)).text).toContain('<strong>Ada</strong>')
    const { data } = await citewell.json<{ data: { id: string }[] }>('GET', `${within}/custom-answers`)
    await citewell.json('PATCH', `/api/v1/custom-answers/${data[0]?.id}`, { visibility: 'restricted' })
    expect(await strangersView(answers)).toEqual(nothing)
    expect((await view(answers)).html).toContain('<strong>Ada</strong>')

    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/archive`)
    for (const path of [pathOf('Refunds'), salaries]) {
      expect(await strangersView(path)).toEqual(nothing)
      expect((await view(path)).status).toBe(404)
    }
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/restore`)
    expect((await get(pathOf('Refunds'))).status).toBe(200)
  },
)

verifies(
  'documents.original',
  'an uploaded file is sent as a download, and never displayed by a browser',
  async () => {
    const { citewell, sources } = world
    const name = `evil"; x="<script>é'.html`
    await world.upload(
      sources.files,
      name,
      '<title>Evil</title><h1>Evil</h1><script>alert(1)</script><p>Evil gadgets are green.</p>',
    )
    const { data } = await citewell.json<{ data: { id: string; title: string }[] }>(
      'GET',
      `${world.within}/documents?limit=100`,
    )
    const path = `/documents/${data.find(({ title }) => title === 'Evil')?.id}`
    expect((await get(path)).text).not.toContain('<script')
    const { status, headers, text } = await get(`${path}/original`)
    expect([status, text]).toEqual([200, expect.stringContaining('<script>alert(1)</script>')])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w.%~!-]+$/,
    )
    for (const other of ['Shipping', 'Colours', 'Who invented gadgets?'])
      expect([other, (await get(`/documents/${world.documentOf(other).id}/original`)).status]).toEqual([
        other,
        404,
      ])
  },
)

test('a document with its own web address is not copied here', async () => {
  const { text } = await get(`/documents/${world.documentOf('Colours').id}`)
  expect(text).toContain('<a href="https://docs.example.com/gr%C3%B6%C3%9Fe%7Cx"')
  expect(text).not.toContain('blue')
  const answer = world.documentOf('Who invented gadgets?')
  expect((await get(`/documents/${answer.id}`)).text).not.toContain('Ada')
})

test('one network may open a limited number of pages a minute', { tags: ['long'] }, async () => {
  await using limited = await startTestService({ CITEWELL_RATE_LIMITS: 'on' })
  const statuses = await Promise.all(
    Array.from({ length: 130 }, async () => (await limited.fetch(`/documents/${UNKNOWN}`)).status),
  )
  expect(statuses.filter((status) => status === 404)).toHaveLength(120)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
})

verifies('documents.page-readers', 'an internal base has no page for anonymous visitors', async () => {
  const { citewell, within } = world
  await citewell.json('PATCH', within, { type: 'internal' })
  expect((await get(pathOf('Refunds'))).status).toBe(404)
  expect((await get(`${pathOf('Refunds')}/original`)).status).toBe(404)
})
