import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { htmlPage, startFakeSite } from '../../../test/fake-site.ts'
import { openTestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'
import { claimNextSync } from './claim-sync-store.ts'
import { NO_COUNTS, writeHeartbeat } from './syncs-store.ts'

interface Sync {
  id: string
  status: string
  error: string | null
  counts: Record<string, number>
}

const PAGES = 12
const MINUTE_MS = 60_000

/** A source whose syncs run when the test says so. `onPage` is called for each page that is asked for. */
async function openWorld(onPage: () => void = () => {}) {
  const links = Array.from({ length: PAGES }, (_, page) => `/p${page}`)
  const site = await startFakeSite(
    Object.fromEntries(
      links.map((path, page) => [
        path,
        () => {
          onPage()
          return htmlPage(`Page ${page}`, `What page ${page} says.`, { links })
        },
      ]),
    ),
  )
  const api = await openTestManagement()
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Restarted' })
  const source = await api.ask('POST', `/knowledge-bases/${base['id']}/sources`, {
    type: 'website',
    name: 'site',
    config: { start_urls: [`${site.origin}/p0`], render_js: false },
  })
  const { id = '' } = await api.ask('POST', `/sources/${source['id']}/sync`)
  const pass = (milliseconds: number) => {
    api.clock.time = new Date(api.clock.time.getTime() + milliseconds)
  }
  /** A process begins the sync, and tells what it has written, if it gets that far. */
  async function works(written?: Partial<typeof NO_COUNTS>): Promise<void> {
    const lease = newId()
    const now = api.clock.time
    await claimNextSync(api.db, { lease, now, capacity: 'any', served: { workspaces: [], bases: [] } })
    if (written === undefined) return
    const counts = { ...NO_COUNTS, ...written }
    await writeHeartbeat(api.db, { knowledgeBaseId: base['id'] ?? '', syncId: id, lease, counts, now })
  }
  return {
    api,
    pass,
    works,
    /** The same, and is killed. */
    dies: async (written: Partial<typeof NO_COUNTS>) => {
      await works(written)
      await api.syncs.recover(0)
    },
    work: async (shutdown: AbortSignal) => {
      pass(MINUTE_MS)
      await api.syncs.jobs[0]?.handle({}, shutdown)
    },
    sync: async () => await api.ask<Sync>('GET', `/syncs/${id}`),
    [Symbol.asyncDispose]: async () => {
      await api.close()
      await site[Symbol.asyncDispose]()
    },
  }
}

test('a sync whose process is killed again and again goes on as long as it gets on, and fails when it does not', async () => {
  await using world = await openWorld()
  for (let kill = 0; kill < 12; kill += 1) await world.dies({ unchanged: kill * 40, added: 40 })
  expect(await world.sync()).toMatchObject({ status: 'queued', error: null })
  for (let kill = 0; kill < 5; kill += 1) {
    expect(await world.sync()).toMatchObject({ status: 'queued' })
    await world.dies({ unchanged: 480 })
  }
  expect(await world.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('The service stopped during every attempt of this sync.'),
  })
}, 60_000)

test('a process whose clock is hours ahead does not take the running sync of another one', async () => {
  await using world = await openWorld()
  await world.works()
  world.pass(60 * MINUTE_MS)
  await world.api.syncs.recover(15)
  expect(await world.sync()).toMatchObject({ status: 'running' })
  await world.api.db
    .updateTable('syncs')
    .set({ heartbeat_at: sql<Date>`clock_timestamp() - interval '16 seconds'` })
    .execute()
  world.pass(-120 * MINUTE_MS)
  await world.api.syncs.recover(15)
  expect(await world.sync()).toMatchObject({ status: 'queued' })
  // Nor one that has told how far it is.
  await world.works({})
  await world.api.syncs.recover(15)
  expect(await world.sync()).toMatchObject({ status: 'running' })
}, 60_000)

test('a page that changes at each reading does not keep a sync going that always ends its process', async () => {
  await using world = await openWorld()
  for (let kill = 0; kill < 50; kill += 1) await world.dies({ changed: 1 })
  expect(await world.sync()).toMatchObject({ status: 'failed' })
}, 60_000)

test('a service that is stopped gives its syncs back at once: that is no failed attempt', async () => {
  let stop = new AbortController()
  let asked = 0
  await using world = await openWorld(() => {
    asked += 1
    if (asked % 2 === 0) stop.abort(new Error('The service is shutting down.'))
  })
  for (let restart = 0; restart < 7; restart += 1) {
    stop = new AbortController()
    await world.work(stop.signal)
    expect(await world.sync()).toMatchObject({ status: 'queued', error: null })
  }
  asked = Number.MIN_SAFE_INTEGER
  stop = new AbortController()
  await world.work(new AbortController().signal)
  expect(await world.sync()).toMatchObject({ status: 'succeeded' })
}, 60_000)
