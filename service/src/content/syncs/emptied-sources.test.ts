import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, redirectTo, startFakeSite, type FakePage, type FakeSite } from '../../../test/fake-site.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

interface Sync {
  id: string
  status: string
  error: string | null
  counts: Record<string, number>
}

let citewell: TestService

beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

const HOME = 'Where everything about widgets begins.'
const MAINTENANCE = htmlPage('Maintenance', 'We will be back soon. Please come again later.')
const pathsOf = (pages: number) => Array.from({ length: pages }, (_, at) => `/p${at}`)
const textOf = (path: string) => `The widget of ${path} has a text of its own.`
const homeOf = (paths: readonly string[]) => htmlPage('Home', HOME, { links: [...paths] })

/** A base that reads a site of a home page and so many others. */
async function openSite(name: string, pages: number) {
  const paths = pathsOf(pages)
  const whole = Object.fromEntries(paths.map((path) => [path, htmlPage(`Page ${path}`, textOf(path))]))
  const site = await startFakeSite({ ...whole, '/': homeOf(paths) })
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'website',
    name: 'site',
    config: { start_urls: [`${site.origin}/`] },
  })
  const sync = async (body: object = {}) => {
    const { id } = await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`, body)
    const ended = ({ status }: Sync) => status !== 'queued' && status !== 'running'
    return await citewell.until<Sync>(`/api/v1/syncs/${id}`, ended)
  }
  /** How many of the pages readers find, by visibility. */
  const shown = async () =>
    await citewell.json<Record<string, number>>('GET', `/api/v1/knowledge-bases/${base.id}/document-counts`)
  /** Answers something else at these addresses, until it is called again with nothing. */
  const serve = (other: FakePage | undefined, at: readonly string[] = paths) => {
    for (const path of paths) site.set(path, whole[path])
    site.set('/', homeOf(paths))
    if (other !== undefined) for (const path of at) site.set(path, other)
  }
  return { site, paths, sync, shown, serve }
}

const dispose = async ({ site }: { site: FakeSite }) => await site[Symbol.asyncDispose]()

verifies(
  'syncs.mass-removal',
  'a site whose pages are gone, under maintenance, or behind a sign-in keeps its documents until somebody accepts that they go',
  async () => {
    const world = await openSite('Emptied', 30)
    const { paths, sync, shown, serve } = world
    expect(await sync()).toMatchObject({ status: 'succeeded', counts: { added: 31 } })

    const faults: Record<string, [FakePage, readonly string[]]> = {
      'a page of maintenance everywhere': [MAINTENANCE, [...paths, '/']],
      'a page of maintenance below the home page': [MAINTENANCE, paths],
      'not found': [{ status: 404, body: 'Not found' }, paths],
      'a redirect to a sign-in': [redirectTo('/p0?next=1', 302), paths.slice(1)],
      'noindex everywhere': [
        htmlPage('Page', 'Text.', { head: '<meta name="robots" content="noindex">' }),
        paths,
      ],
      'an answer without a page': [{ status: 202, body: '' }, paths],
    }
    for (const [about, [page, at]] of Object.entries(faults)) {
      serve(page, at)
      const held = await sync()
      expect({ about, ...held }).toMatchObject({
        about,
        status: 'partial',
        error: expect.stringMatching(
          /no longer shows \d+ of \d+ documents\. .*maintenance.*accept_deletions/,
        ),
        counts: { removed: 0 },
      })
      expect((await shown())['public']).toBeGreaterThanOrEqual(31)
      // The site is back: nothing has to be decided any more, and hardly anything is read again.
      serve(undefined)
      expect({ about, ...(await sync()) }).toMatchObject({ about, status: 'succeeded', error: null })
      expect(await shown()).toMatchObject({ total: 31, public: 31 })
    }

    for (const path of paths) world.site.set(path, undefined)
    const accepted = await sync({ accept_deletions: true })
    expect(accepted).toMatchObject({ status: 'succeeded', counts: { removed: 30 } })
    expect(await shown()).toMatchObject({ total: 1 })
    await dispose(world)
  },
)

test('pages that a site refuses are restricted at once, and public again when it shows them', async () => {
  const world = await openSite('Refused', 30)
  const { paths, sync, shown, serve } = world
  await sync()
  serve({ status: 403, body: 'Forbidden' }, paths.slice(5))
  expect(await sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
  expect(await shown()).toMatchObject({ total: 31, public: 6, restricted: 25 })
  serve(undefined)
  expect(await sync()).toMatchObject({ status: 'succeeded', counts: { unchanged: 31 } })
  expect(await shown()).toMatchObject({ total: 31, public: 31 })
  await dispose(world)
})

test('a small site is not emptied either, and one page goes as before', async () => {
  const world = await openSite('Small', 8)
  const { paths, sync, shown, serve } = world
  await sync()
  serve(MAINTENANCE, [...paths, '/'])
  expect(await sync()).toMatchObject({ status: 'partial', counts: { removed: 0 } })
  expect((await shown())['total']).toBeGreaterThanOrEqual(9)
  serve(undefined)
  world.site.set('/p3', undefined)
  expect(await sync()).toMatchObject({ status: 'succeeded', counts: { removed: 1 } })
  await dispose(world)
})

test('copies that one sync finds are no documents that are lost', async () => {
  const paths = pathsOf(30)
  const copies = Object.fromEntries(
    paths.flatMap((path) => {
      const page = htmlPage(`Page ${path}`, textOf(path))
      return [
        [`${path}?from=home`, page],
        [path, page],
      ]
    }),
  )
  const first = paths.map((path) => `${path}?from=home`)
  await using site = await startFakeSite({
    ...copies,
    '/': htmlPage('Home', HOME, { links: [...first, '/second'] }),
    '/second': htmlPage('Second', 'The second page leads on.', { links: paths }),
  })
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Copies' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'website',
    name: 'site',
    config: { start_urls: [`${site.origin}/`] },
  })
  const { id } = await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
  const ended = await citewell.until<Sync>(
    `/api/v1/syncs/${id}`,
    ({ status }) => status !== 'queued' && status !== 'running',
  )
  expect(ended).toMatchObject({ status: 'succeeded', error: null, counts: { added: 32, removed: 0 } })
})
