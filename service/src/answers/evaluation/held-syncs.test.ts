import type { Source } from '@citewell/contract/sources'
import type { HeldDocument, Sync } from '@citewell/contract/syncs'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, type FakeSite } from '../../../test/fake-site.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let site: FakeSite

const LINKS = ['/keys', '/plugins', '/limits']
const PAGES = {
  '/': htmlPage('Home', 'Where everything about Acme begins.', { links: LINKS }),
  '/keys': htmlPage('Rotating keys', 'Signing keys are rotated every day at midnight.'),
  '/plugins': htmlPage('Installing plugins', 'Plugins are installed with the plugin command.'),
  '/limits': htmlPage('Rate limits', 'An account may send one hundred requests each minute.'),
}

beforeAll(async () => {
  citewell = await startTestService()
  site = await startFakeSite(PAGES)
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await citewell[Symbol.asyncDispose]()
})

const json = async <Body>(method: string, path: string, body?: unknown) =>
  await citewell.json<Body>(method, `/api/v1${path}`, body)

const QUESTIONS = [
  ['When are signing keys rotated?', '/keys'],
  ['How are plugins installed?', '/plugins'],
  ['How many requests may an account send?', '/limits'],
] as const

/** A base with a website source that holds back, read once, and a question for each page. */
async function openBase(name: string, drop: number | null = 0) {
  const base = await json<{ id: string }>('POST', '/knowledge-bases', { name })
  const of = `/knowledge-bases/${base.id}`
  for (const [question, path] of QUESTIONS)
    await json('POST', `${of}/evaluation-questions`, { question, urls: [`${site.origin}${path}`] })
  const source = await json<Source>('POST', `${of}/sources`, {
    type: 'website',
    name: 'site',
    config: { start_urls: [`${site.origin}/`] },
    hold_back_drop: drop,
  })

  const decided = async (id: string) =>
    await citewell.until<Sync>(
      `/api/v1/syncs/${id}`,
      ({ finished_at: at, hold }) =>
        at !== null && hold?.status !== 'reading' && hold?.status !== 'measuring',
    )
  const sync = async () => await decided((await json<Sync>('POST', `/sources/${source.id}/sync`)).id)
  const titles = async () => {
    const { data } = await json<{ data: { title: string }[] }>('GET', `${of}/documents`)
    return data.map(({ title }) => title).toSorted()
  }
  const found = async (query: string) => {
    const { results } = await json<{ results: { title: string; snippet: string }[] }>(
      'POST',
      `${of}/search`,
      {
        query,
      },
    )
    return results.map(({ snippet }) => snippet).join(' ')
  }
  return { id: base.id, of, source: source.id, sync, decided, titles, found }
}

/** The site as it was, at the end of a test that changes it. */
const changedSite = (changes: Readonly<Record<string, ReturnType<typeof htmlPage> | undefined>>) => {
  for (const [path, page] of Object.entries(changes)) site.set(path, page)
  return {
    [Symbol.dispose]: () => {
      for (const [path, page] of Object.entries(PAGES)) site.set(path, page)
    },
  }
}

const OTHER_KEYS = htmlPage('Company history', 'The company was founded by two sisters in a garage.')
/** One page says something else, one is gone, one is new; the first one links to them. */
const DAMAGE = {
  '/': htmlPage('Home', 'Where everything about Acme begins.', { links: ['/keys', '/plugins', '/new'] }),
  '/keys': OTHER_KEYS,
  '/limits': undefined,
  '/new': htmlPage('News', 'Zebras are now supported everywhere.'),
}

const heldKinds = async (syncId: string) => {
  const { data } = await json<{ data: HeldDocument[] }>('GET', `/syncs/${syncId}/held-documents`)
  return data.map(({ kind, title }) => `${kind} ${title}`).toSorted()
}

const inspect = async (base: { id: string }) =>
  await citewell.rows(`select count(*)::int as unseen from chunks c where knowledge_base_id = '${base.id}' and not exists (
    select 1 from documents d where d.knowledge_base_id = c.knowledge_base_id and d.id = c.document_id
      and d.live_version = c.version)`)

verifies(
  ['syncs.hold-back', 'syncs.hold-released'],
  'a sync that answers no question worse is shown; one that does waits, in the statements of search and lists, until it is accepted',
  async () => {
    const base = await openBase('Accepted')
    const first = await base.sync()
    expect(first.hold).toMatchObject({
      status: 'released',
      hit5_before: { count: 0, of: 3 },
      hit5_after: { count: 3, of: 3 },
    })
    const before = await base.titles()
    expect(before).toHaveLength(4)

    using _ = changedSite(DAMAGE)
    const held = await base.sync()
    expect(held).toMatchObject({
      status: 'succeeded',
      counts: { added: 1, changed: 2, removed: 1 },
      hold: { status: 'waiting', hit5_before: { count: 3, of: 3 }, hit5_after: { count: 2, of: 3 } },
    })
    expect(held.lost_questions).toEqual([{ question: QUESTIONS[2][0], rank_before: 1, rank_after: null }])
    expect(await heldKinds(held.id)).toEqual([
      'added News',
      'changed Company history',
      'changed Home',
      'removed Rate limits',
    ])

    // Readers see what they saw.
    expect(await base.titles()).toEqual(before)
    expect(await base.found('When are signing keys rotated?')).toContain('midnight')
    expect(await base.found('Are zebras supported?')).not.toContain('Zebras')
    expect(await json<Source>('GET', `/sources/${base.source}`)).toMatchObject({
      document_count: 4,
      held_sync_id: held.id,
    })

    const accepted = await json<Sync>('POST', `/syncs/${held.id}/accept`)
    expect(accepted.hold?.status).toBe('accepted')
    expect(accepted.hold?.decided_at).toBeTypeOf('string')
    expect(await base.titles()).toEqual(['Company history', 'Home', 'Installing plugins', 'News'])
    expect(await base.found('Are zebras supported?')).toContain('Zebras')
    expect(await base.found('When are signing keys rotated?')).not.toContain('midnight')
    expect(await inspect(base)).toEqual([{ unseen: 0 }])
    expect(await heldKinds(held.id)).toEqual([])
    expect((await citewell.send('POST', `/api/v1/syncs/${held.id}/accept`)).status).toBe(409)
    expect((await citewell.send('POST', `/api/v1/syncs/${held.id}/discard`)).status).toBe(409)
    const { data } = await json<{ data: { action: string; target: { id: string } }[] }>(
      'GET',
      `/workspaces/${(await json<{ workspace_id: string }>('GET', base.of)).workspace_id}/activity`,
    )
    expect(data.filter(({ target }) => target.id === held.id).map(({ action }) => action)).toEqual([
      'sync.accepted',
      'sync.started',
    ])
  },
)

verifies(
  ['syncs.hold-taken-over', 'syncs.hold-discarded'],
  'the next sync takes over what waits; discarded, everything is read and measured again; mended pages hold nothing',
  async () => {
    const base = await openBase('Discarded')
    await base.sync()
    const before = await base.titles()
    const bytes = async () =>
      await citewell.rows(
        `select sum(stored_bytes)::int as bytes from documents where knowledge_base_id = '${base.id}'`,
      )
    const stored = await bytes()
    {
      using _ = changedSite(DAMAGE)
      const held = await base.sync()
      expect(held.hold?.status).toBe('waiting')
      const again = await base.sync()
      // It compares with what is held: nothing is written again.
      expect(again).toMatchObject({
        counts: { added: 0, changed: 0, removed: 0 },
        hold: { status: 'waiting' },
      })
      expect((await json<Sync>('GET', `/syncs/${held.id}`)).hold?.status).toBe('superseded')
      expect(await heldKinds(again.id)).toHaveLength(4)
      expect((await citewell.send('POST', `/api/v1/syncs/${held.id}/discard`)).status).toBe(409)

      expect((await json<Sync>('POST', `/syncs/${again.id}/discard`)).hold?.status).toBe('discarded')
      expect(await base.titles()).toEqual(before)
      expect(await inspect(base)).toEqual([{ unseen: 0 }])
      expect(await bytes()).toEqual(stored)
      expect(await base.sync()).toMatchObject({
        counts: { added: 1, changed: 2, removed: 1 },
        hold: { status: 'waiting' },
      })
    }
    // The pages were mended: what is held goes by itself.
    const mended = await base.sync()
    expect(mended.hold).toBeNull()
    expect(await base.titles()).toEqual(before)
    expect(await inspect(base)).toEqual([{ unseen: 0 }])
    expect(await bytes()).toEqual(stored)
    expect(await base.found('When are signing keys rotated?')).toContain('midnight')
  },
  { tags: ['long'] },
)

test(
  'a fall within what is allowed, or without a question to measure with, holds nothing back',
  { tags: ['long'] },
  async () => {
    const base = await openBase('Lenient', 0.4)
    await base.sync()
    using _ = changedSite(DAMAGE)
    expect((await base.sync()).hold).toMatchObject({ status: 'released', hit5_after: { count: 2, of: 3 } })
    expect(await base.titles()).toContain('Company history')

    const without = await openBase('Without', null)
    expect((await without.sync()).hold).toBeNull()
  },
)

test('a source that takes written documents holds none back', async () => {
  const base = await json<{ id: string }>('POST', '/knowledge-bases', { name: 'Pushed' })
  const response = await citewell.send('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'pushed',
    hold_back_drop: 0,
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('hold_back_drop')
})
