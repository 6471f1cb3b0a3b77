import { verifies } from '@citewell/spec/verifies'
import type { NewSource } from '@citewell/contract/sources'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'

let rooms: TestRooms
let owner: Caller
let baseId: string

beforeAll(async () => {
  rooms = await openTestRooms()
})
beforeEach(async () => {
  await rooms.empty()
  owner = await rooms.joinWorkspace()
  baseId = (await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })).base.id
})
afterAll(() => rooms.close())

const HOUR_MS = 60 * 60 * 1_000

const sourceOf = (type: 'files' | 'push', refresh: NewSource['refresh']): NewSource => ({
  type,
  name: type,
  config: {},
  version_label: null,
  source_group_id: null,
  visibility: 'public',
  refresh,
})

const make = async (type: 'files' | 'push', refresh: NewSource['refresh']) =>
  (await rooms.sources.create(owner, baseId, sourceOf(type, refresh))).source.id

/** What the job does every minute. */
const look = () =>
  rooms.sources.jobs.find((job) => job.name === 'refresh-sources')?.handle({}, new AbortController().signal)

/** Advances the clock, looks for due sources, and returns the names of the sources that were asked to sync. */
async function after(hours: number): Promise<string[]> {
  rooms.clock.time = new Date(rooms.clock.time.getTime() + hours * HOUR_MS)
  await look()
  const { db, clock } = rooms
  const rows = await db.selectFrom('syncs').select('source_id').where('created_at', '=', clock.time).execute()
  return rows.map((row) => row.source_id)
}

const setSyncs = (status: 'running' | 'succeeded') => rooms.db.updateTable('syncs').set({ status }).execute()

verifies(
  'sources.refresh',
  'a source is synced when its refresh is due, and again one interval later',
  async () => {
    const hourly = await make('files', 'hourly')
    const daily = await make('files', 'daily')
    await make('files', 'none')
    expect(await after(0.9)).toEqual([])
    expect(await after(0.1)).toEqual([hourly])
    await setSyncs('succeeded')
    expect(await after(0.5)).toEqual([])
    expect(await after(0.5)).toEqual([hourly])
    await setSyncs('succeeded')
    expect((await after(22)).sort()).toEqual([hourly, daily].sort())
  },
)

verifies('sources.refresh', 'a week has seven days, and a month thirty', async () => {
  const [weekly, monthly] = [await make('files', 'weekly'), await make('files', 'monthly')]
  for (let week = 1; week <= 4; week += 1) {
    expect(await after(7 * 24 - 1)).toEqual([])
    expect(await after(1)).toEqual([weekly])
    await setSyncs('succeeded')
  }
  expect(await after(2 * 24 - 1)).toEqual([])
  expect(await after(1)).toEqual([monthly])
})

test('a changed refresh interval starts at the change', async () => {
  const source = await make('files', 'monthly')
  await rooms.sources.change(owner, source, { refresh: 'hourly' })
  expect(await after(1)).toEqual([source])
  await setSyncs('succeeded')
  await rooms.sources.change(owner, source, { refresh: 'none' })
  expect(await after(1_000)).toEqual([])
})

verifies(
  ['sources.scheduled-crawling', 'knowledge-bases.scheduled-crawling'],
  'the scheduled crawling of a base syncs every source that can be synced, in addition to its own refresh',
  async () => {
    const [first, second] = [await make('files', 'none'), await make('files', 'monthly')]
    await make('push', 'none')
    await rooms.knowledgeBases.change(owner, baseId, { scheduled_crawling: 'daily' })
    expect(await after(23)).toEqual([])
    expect((await after(1)).sort()).toEqual([first, second].sort())
    await setSyncs('succeeded')
    await rooms.knowledgeBases.change(owner, baseId, { scheduled_crawling: null })
    expect(await after(48)).toEqual([])
  },
)

test('an archived base is not refreshed until it is restored', async () => {
  const source = await make('files', 'hourly')
  await rooms.knowledgeBases.change(owner, baseId, { scheduled_crawling: 'hourly' })
  await rooms.knowledgeBases.archive(owner, baseId)
  expect(await after(5)).toEqual([])
  await rooms.knowledgeBases.restore(owner, baseId)
  expect(await after(0.1)).toEqual([source])
})

test('a source that is syncing when its refresh is due is synced again afterwards', async () => {
  const source = await make('files', 'hourly')
  expect(await after(1)).toEqual([source])
  await setSyncs('running')
  expect(await after(1)).toEqual([])
  await setSyncs('succeeded')
  expect(await after(0.02)).toEqual([source])
})

test('a source that was changed while it syncs is synced again afterwards, if that is asked for', async () => {
  const source = await make('files', 'none')
  await rooms.sources.requestSync(owner, source)
  await rooms.db.updateTable('syncs').set({ status: 'running', started_at: rooms.clock.time }).execute()
  // Nothing was changed: the sync that runs is the one that was asked for.
  await rooms.sources.requestSync(owner, source)
  expect(await after(0.1)).toEqual([])
  await rooms.sources.change(owner, source, { name: 'Renamed' })
  await rooms.sources.requestSync(owner, source)
  expect(await after(0.1)).toEqual([])
  await setSyncs('succeeded')
  expect(await after(0.02)).toEqual([source])
  await setSyncs('succeeded')
  expect(await after(1)).toEqual([])
})

verifies(
  'sources.moved-clock',
  'setting the clock back or forward delays a schedule by one interval at most',
  async () => {
    const source = await make('files', 'hourly')
    await rooms.knowledgeBases.change(owner, baseId, { scheduled_crawling: 'daily' })
    const year = 365 * 24
    rooms.clock.time = new Date(rooms.clock.time.getTime() + year * HOUR_MS)
    await look()
    await setSyncs('succeeded')
    // Set back to the correct time: the next refresh is now a year ahead.
    expect(await after(-year)).toEqual([source])
    await setSyncs('succeeded')
    expect(await after(0.5)).toEqual([])
    expect(await after(0.5)).toEqual([source])
    await setSyncs('succeeded')
    expect(await after(-0.2)).toEqual([])
    expect(await after(1.2)).toEqual([source])
  },
)

test('two processes that look concurrently request one sync', async () => {
  const source = await make('files', 'hourly')
  rooms.clock.time = new Date(rooms.clock.time.getTime() + HOUR_MS)
  await Promise.all([look(), look(), look()])
  expect(await rooms.db.selectFrom('syncs').select('source_id').execute()).toEqual([{ source_id: source }])
})

test('a sync of the whole source is not swallowed by one of some addresses', async () => {
  const source = await make('files', 'none')
  await rooms.knowledgeBases.change(owner, baseId, { scheduled_crawling: 'hourly' })
  const some = await rooms.sources.requestSync(owner, source, { onlyAddresses: ['https://acme.example/a'] })
  expect(some.only_addresses).toEqual(['https://acme.example/a'])
  // It waits: it becomes the whole one, as it is asked for. A further retry does not make it smaller.
  const whole = await rooms.sources.requestSync(owner, source, { acceptsDeletions: true })
  expect(whole).toMatchObject({ id: some.id, only_addresses: null })
  await rooms.sources.requestSync(owner, source, { onlyAddresses: ['https://acme.example/a'] })
  const row = () => rooms.db.selectFrom('syncs').selectAll().where('id', '=', some.id).executeTakeFirst()
  expect(await row()).toMatchObject({ only_addresses: null, accepts_deletions: true })

  // It is reading: a person is told, and the schedule comes back to this source.
  await rooms.db
    .updateTable('syncs')
    .set({ status: 'running', only_addresses: JSON.stringify(['https://acme.example/a']) })
    .execute()
  await expect(rooms.sources.requestSync(owner, source)).rejects.toThrow(/reading again what failed/)
  expect(await after(1)).toEqual([])
  await setSyncs('succeeded')
  expect(await after(0.02)).toEqual([source])
  await setSyncs('succeeded')
  expect(await after(0.02)).toEqual([])
})
