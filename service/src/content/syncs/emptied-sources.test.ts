import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../test/connectors/connector-world.ts'
import { startStandIn, type StandInAnswer } from '../../../test/connectors/stand-in-server.ts'

const openWorld = shareConnectorWorlds()

const pageOf = (title: string, text: string, links: readonly string[] = [], head = ''): StandInAnswer => ({
  headers: { 'content-type': 'text/html' },
  body: `<title>${title}</title>${head}<main><h1>${title}</h1><p>${text}</p>${links.map((link) => `<a href="${link}">${link}</a> `).join('')}</main>`,
})
const NOT_FOUND: StandInAnswer = { status: 404, body: 'Not found' }
const MAINTENANCE = pageOf('Maintenance', 'We will be back soon. Please come again later.')
const textPage = (path: string) => pageOf(`Page ${path}`, `The text of ${path} is its own.`)
const pathsOf = (pages: number) => Array.from({ length: pages }, (_, at) => `/p${at}`)

/** A source that reads a site of these pages. */
async function openSite(pages: Readonly<Record<string, StandInAnswer>>) {
  const standing = new Map(Object.entries(pages))
  const server = await startStandIn(({ path }) => standing.get(path) ?? NOT_FOUND)
  const config = { start_urls: [`${server.origin}/`], use_sitemap: false }
  const world = await openWorld({
    type: 'website',
    config,
    credentials: undefined,
    server,
    documents: () => new Map(),
    add: () => undefined,
    change: () => '',
    hideMost: () => () => undefined,
  })
  /** Answers this at some addresses, and at the others what it answered at first. */
  const serve = (other: StandInAnswer = NOT_FOUND, at: readonly string[] = []) => {
    for (const [path, page] of Object.entries(pages)) standing.set(path, at.includes(path) ? other : page)
  }
  const shown = async () => {
    const rows = [...(await world.indexed()).values()]
    return {
      public: rows.filter(({ visibility }) => visibility === 'public').length,
      restricted: rows.filter(({ visibility }) => visibility === 'restricted').length,
    }
  }
  /** Settings of the source beside its start address. */
  const configure = async (settings: object) =>
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { ...config, ...settings } })
  return {
    sync: world.sync,
    serve,
    shown,
    configure,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** A home page with so many others. */
const siteOf = (paths: readonly string[]) => ({
  '/': pageOf('Home', 'Where everything begins.', paths),
  ...Object.fromEntries(paths.map((path) => [path, textPage(path)])),
})

verifies(
  'syncs.mass-removal',
  'a site whose pages are gone, under maintenance, or behind a sign-in keeps its documents until somebody accepts that they go',
  async () => {
    const paths = pathsOf(25)
    await using site = await openSite(siteOf(paths))
    expect(await site.sync()).toMatchObject({ status: 'succeeded', counts: { added: 26 } })

    const noindex = pageOf('Page', 'Text.', [], '<meta name="robots" content="noindex">')
    const faults: Record<string, [StandInAnswer, readonly string[]]> = {
      'a page of maintenance everywhere': [MAINTENANCE, [...paths, '/']],
      'a page of maintenance below the home page': [MAINTENANCE, paths],
      'not found': [NOT_FOUND, paths],
      'a redirect to a sign-in': [{ status: 302, headers: { location: '/p0' }, body: '' }, paths.slice(1)],
      'noindex everywhere': [noindex, paths],
      'an answer without a page': [{ status: 202, body: '' }, paths],
    }
    for (const [about, [page, at]] of Object.entries(faults)) {
      site.serve(page, at)
      expect({ about, ...(await site.sync()) }).toMatchObject({
        about,
        status: 'partial',
        error: expect.stringMatching(
          /no longer shows \d+ of \d+ documents\. .*maintenance.*accept_deletions/,
        ),
        counts: { removed: 0 },
      })
      expect((await site.shown()).public).toBeGreaterThanOrEqual(26)
      // The site is back: nothing has to be decided any more.
      site.serve()
      expect({ about, ...(await site.sync()) }).toMatchObject({ about, status: 'succeeded', error: null })
      expect(await site.shown()).toEqual({ public: 26, restricted: 0 })
    }

    site.serve(NOT_FOUND, paths)
    expect(await site.sync({ accept_deletions: true })).toMatchObject({
      status: 'succeeded',
      counts: { removed: 25 },
    })
    expect(await site.shown()).toEqual({ public: 1, restricted: 0 })
  },
  TIMEOUT,
)

test(
  'pages that a site refuses are restricted at once, and public again when it shows them',
  TIMEOUT,
  async () => {
    const paths = pathsOf(25)
    await using site = await openSite(siteOf(paths))
    await site.sync()
    site.serve({ status: 403, body: 'Forbidden' }, paths.slice(5))
    expect(await site.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
    expect(await site.shown()).toEqual({ public: 6, restricted: 20 })
    site.serve()
    expect(await site.sync()).toMatchObject({ status: 'succeeded', counts: { unchanged: 26 } })
    expect(await site.shown()).toEqual({ public: 26, restricted: 0 })
  },
)

test('a small site is not emptied either, and one page goes as before', TIMEOUT, async () => {
  const paths = pathsOf(8)
  await using site = await openSite(siteOf(paths))
  await site.sync()
  site.serve(MAINTENANCE, [...paths, '/'])
  expect(await site.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
  expect((await site.shown()).public).toBe(9)
  site.serve(NOT_FOUND, ['/p3'])
  expect(await site.sync()).toMatchObject({ status: 'succeeded', counts: { removed: 1 } })
})

test(
  'what changed settings leave out goes at once, and what is gone afterwards waits',
  { ...TIMEOUT, tags: ['long'] },
  async () => {
    const paths = pathsOf(40)
    await using site = await openSite(siteOf(paths))
    await site.sync()
    await site.configure({ exclude: ['/p1*'] })
    expect(await site.sync()).toMatchObject({ status: 'succeeded', error: null, counts: { removed: 11 } })
    await site.configure({ exclude: ['/p*'] })
    expect(await site.sync()).toMatchObject({ status: 'succeeded', error: null, counts: { removed: 29 } })
    await site.configure({ exclude: [] })
    expect(await site.sync()).toMatchObject({ counts: { added: 40 } })
    site.serve(NOT_FOUND, paths)
    expect(await site.sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
    expect((await site.shown()).public).toBe(41)
  },
)

test('copies that one sync finds are no documents that are lost', TIMEOUT, async () => {
  const paths = pathsOf(25)
  const copies = paths.map((path) => `/a/longer/address${path}`)
  await using site = await openSite({
    '/': pageOf('Home', 'Where everything begins.', [...copies, '/second']),
    '/second': pageOf('Second', 'The second page leads on.', paths),
    ...Object.fromEntries(copies.map((path, at) => [path, textPage(`/p${at}`)])),
    ...Object.fromEntries(paths.map((path) => [path, textPage(path)])),
  })
  expect(await site.sync()).toMatchObject({
    status: 'succeeded',
    error: null,
    counts: { added: 27, removed: 0 },
  })
})
