import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { makeBase, makeSource } from '../../../test/make-records.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { createRunSlots } from '../../platform/jobs/run-slots.ts'
import { capacityAt, claimNextSync, MOST_SYNCS, type Capacity } from './claim-sync-store.ts'
import { pageOfChanges } from './sync-notes-store.ts'
import { finishSync, insertSync, listSyncs, NO_COUNTS } from './syncs-store.ts'

let storage: TestStorage
let minute = 0
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(async () => {
  await storage[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await storage.db.deleteFrom('syncs').execute()
})

async function queue(base: { id: string }, count: number, type = 'website'): Promise<void> {
  for (let source = 0; source < count; source += 1) {
    minute += 1
    await insertSync(storage.db, {
      knowledgeBaseId: base.id,
      id: newId(),
      sourceId: await makeSource(storage.db, base.id, { type }),
      acceptsDeletions: false,
      onlyAddresses: undefined,
      now: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    })
  }
}

const NOBODY = { workspaces: [] as string[], bases: [] as string[] }

async function claim(capacity: Capacity = 'any', served = NOBODY): Promise<string | undefined> {
  const claimed = await claimNextSync(storage.db, { lease: newId(), now: new Date(), capacity, served })
  return claimed?.sync.knowledge_base_id
}

async function claimAll(capacity: Capacity = 'any'): Promise<string[]> {
  const claimed: string[] = []
  for (let next = await claim(capacity); next !== undefined; next = await claim(capacity)) claimed.push(next)
  return claimed
}

const times = (ids: string[], id: string) => ids.filter((one) => one === id).length

test('a workspace that queued a hundred syncs first does not delay one that queued a single sync', async () => {
  const many = await makeBase(storage.db)
  const one = await makeBase(storage.db)
  await queue(many, 20)
  await queue(one, 1)
  expect([await claim(), await claim()]).toEqual([many.id, one.id])
})

test('of two idle workspaces the one served longest ago goes first', async () => {
  const before = await makeBase(storage.db)
  const now = await makeBase(storage.db)
  await queue(before, 1)
  await queue(now, 1)
  const served = { workspaces: [before.workspaceId], bases: [before.id] }
  expect(await claim('any', served)).toBe(now.id)
})

test('a base has slots for quick sources beside its crawls, and every base has one for its first sync', async () => {
  const base = await makeBase(storage.db)
  const { id } = await makeBase(storage.db)
  await storage.db
    .updateTable('knowledge_bases')
    .set({ workspace_id: base.workspaceId })
    .where('id', '=', id)
    .execute()
  await queue(base, 9)
  expect(await claimAll()).toHaveLength(3)
  await queue(base, 9, 'repository')
  expect(await claimAll()).toHaveLength(1)
  await queue({ id }, 9)
  const other = await claimAll()
  expect(times(other, id)).toBe(3)
})

test('when few slots are left, only idle bases, and then only idle workspaces, start a sync', async () => {
  const first = await makeBase(storage.db)
  const second = await makeBase(storage.db)
  await queue(first, 3)
  await queue(second, 3)
  expect((await claimAll('idle-workspaces')).toSorted()).toEqual([first.id, second.id].toSorted())
  expect(await claimAll('idle-bases')).toEqual([])
  expect(await claimAll()).toHaveLength(4)
})

test('two workers that claim concurrently take different syncs, within the limits', async () => {
  const base = await makeBase(storage.db)
  await queue(base, 10)
  const claimed = await Promise.all(Array.from({ length: 10 }, () => claim()))
  expect(claimed.filter((one) => one !== undefined)).toHaveLength(3)
  const { rows } = await storage.execute(
    `select count(distinct lease)::integer as n from syncs where status = 'running'`,
  )
  expect(rows[0]?.['n']).toBe(3)
})

test('a process takes up the syncs of workspaces in turn, remembers whom it served last, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const [a, b, c] = [await makeBase(storage.db), await makeBase(storage.db), await makeBase(storage.db)]
  const taken: string[] = []
  const slots = createRunSlots({
    most: MOST_SYNCS,
    claim: async (running, served) => {
      const claimed = await claimNextSync(storage.db, {
        lease: newId(),
        now: new Date(),
        capacity: capacityAt(running),
        served,
      })
      // It ends before the next one is claimed.
      if (claimed !== undefined)
        await storage.db.deleteFrom('syncs').where('id', '=', claimed.sync.id).execute()
      return claimed
    },
    ownerOf: ({ workspaceId, sync }) => ({ workspaceId, knowledgeBaseId: sync.knowledge_base_id }),
    run: (claimed) => Promise.resolve(void taken.push(claimed.sync.knowledge_base_id)),
  })
  const work = async () => {
    taken.length = 0
    await slots.work(new AbortController().signal)
    // The last run that ended looks for another one: until that is over, too.
    await slots.work(new AbortController().signal)
    return taken
  }
  for (const base of [a, b, c]) await queue(base, 2)
  expect(await work()).toEqual([a.id, b.id, c.id, a.id, b.id, c.id])
  await queue(b, 1)
  expect(await work()).toEqual([b.id])
  await queue(c, 1)
  await queue(a, 1)
  expect(await work()).toEqual([a.id, c.id])
  // The connections to a server have timers of their own.
  const left = inject('storageTemplate').kind === 'embedded' ? vi.getTimerCount() : 0
  expect(left).toBe(0)
})

test(
  'the changes of the last hundred syncs of a source are kept, older ones are not; those of a base that has the same ids are its own',
  { tags: ['long'] },
  async () => {
    const base = await makeBase(storage.db)
    const twin = await makeBase(storage.db)
    const sourceId = await makeSource(storage.db, base.id)
    await makeSource(storage.db, twin.id, { id: sourceId })
    const ids: string[] = []
    const run = async (knowledgeBaseId: string, id: string, minutes: number) => {
      const now = new Date(Date.UTC(2026, 1, 1, 0, minutes))
      const of = { knowledgeBaseId, sourceId, now }
      await insertSync(storage.db, { ...of, id, acceptsDeletions: false, onlyAddresses: undefined })
      const lease = newId()
      await claimNextSync(storage.db, { lease, now, capacity: 'any', served: NOBODY })
      await finishSync(storage.db, {
        ...of,
        syncId: id,
        lease,
        status: 'succeeded',
        counts: NO_COUNTS,
        error: undefined,
        errors: [],
        warnings: [],
        changes: [{ kind: 'added', title: 'Keys', url: 'https://docs.example.com/keys' }],
      })
    }
    for (let minutes = 0; minutes < 102; minutes += 1) {
      const id = newId()
      ids.push(id)
      await run(base.id, id, minutes)
      if (minutes === 0) await run(twin.id, id, minutes)
    }
    const hasChanges = async (knowledgeBaseId: string, syncId: string) => {
      const of = { knowledgeBaseId, syncId, kind: undefined, after: -1, limit: 1 }
      return (await pageOfChanges(storage.db, of)).length > 0
    }
    const kept: number[] = []
    for (const [at, syncId] of ids.entries()) if (await hasChanges(base.id, syncId)) kept.push(at)
    expect(kept).toEqual(Array.from({ length: 100 }, (_, at) => at + 2))

    expect(await hasChanges(twin.id, ids[0] ?? '')).toBe(true)
    const of = { knowledgeBaseId: twin.id, sourceId, before: undefined, limit: 5 }
    expect((await listSyncs(storage.db, of)).map(({ knowledge_base_id: one }) => one)).toEqual([twin.id])
  },
)

test('the last thousand syncs of a source are kept, and before them only its last one that read anything and one that is held back', async () => {
  const base = await makeBase(storage.db)
  const sourceId = await makeSource(storage.db, base.id)
  const other = await makeSource(storage.db, base.id)
  // 1,150 that failed, the oldest first; the seventh read something, and the ninth waits for somebody.
  await storage.execute(
    `insert into syncs (knowledge_base_id, id, source_id, status, counts, created_at, updated_at, finished_at, hold_status)
     select $1::uuid, gen_random_uuid(), s::uuid, case n when 7 then 'succeeded' else 'failed' end, $4::jsonb,
       timestamptz '2026-01-01' + make_interval(mins => n), now(), now(), case n when 9 then 'waiting' end
     from generate_series(1, 1150) n, unnest(array[$2, $3]) s`,
    [base.id, sourceId, other, JSON.stringify(NO_COUNTS)],
  )
  const minutesOf = async (id: string) => {
    const { rows } = await storage.execute(
      `select (extract(epoch from created_at - timestamptz '2026-01-01') / 60)::integer as minute
       from syncs where source_id = $1::uuid and status <> 'queued' order by 1`,
      [id],
    )
    return rows.map(({ minute: one }) => one)
  }
  const end = async () => {
    const lease = newId()
    const of = { knowledgeBaseId: base.id, sourceId, now: new Date() }
    const id = newId()
    await insertSync(storage.db, { ...of, id, acceptsDeletions: false, onlyAddresses: undefined })
    await claimNextSync(storage.db, { lease, now: of.now, capacity: 'any', served: NOBODY })
    const nothing = { counts: NO_COUNTS, errors: [], warnings: [], changes: [] }
    await finishSync(storage.db, {
      ...of,
      ...nothing,
      syncId: id,
      lease,
      status: 'failed',
      error: 'It is gone.',
    })
  }
  await end()
  // A hundred at a time.
  expect(await minutesOf(sourceId)).toHaveLength(1_151 - 100)
  await end()
  const kept = await minutesOf(sourceId)
  expect(kept.slice(0, 4)).toEqual([7, 9, 153, 154])
  expect(kept).toHaveLength(1_002)
  expect(await minutesOf(other)).toHaveLength(1_150)
})
