import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeBase } from '../../../test/make-records.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { createFairRuns, type HeldRun } from './fair-runs.ts'

let storage: TestStorage
let made = 0
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())
beforeEach(async () => {
  await storage.db.deleteFrom('evaluations').execute()
})

/** A base has one evaluation at a time. */
async function queueRun(base: { id: string }): Promise<string> {
  made += 1
  const at = new Date(Date.UTC(2026, 0, 1, 0, made))
  const id = newId()
  await storage.db
    .insertInto('evaluations')
    .values({
      knowledge_base_id: base.id,
      id,
      status: 'queued',
      include_restricted: false,
      total: 1,
      error: null,
      lease: null,
      started_at: null,
      finished_at: null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  return id
}

/** Another base of the same workspace. */
async function makeSibling(base: { workspaceId: string }) {
  const sibling = await makeBase(storage.db)
  await storage.db
    .updateTable('knowledge_bases')
    .set({ workspace_id: base.workspaceId })
    .where('id', '=', sibling.id)
    .execute()
  return sibling
}

/** Runs go on until they are ended here, or their turn is over. */
function openProcess() {
  const running = new Map<string, () => void>()
  const begun: string[] = []
  const faults: unknown[] = []
  const settle = async ({ knowledgeBaseId, id }: HeldRun<'evaluations'>, status: 'queued' | 'succeeded') =>
    await storage.db
      .updateTable('evaluations')
      .set({ status, lease: null })
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', '=', id)
      .execute()
  const runs = createFairRuns({
    db: storage.db,
    table: 'evaluations',
    jobName: 'run',
    jobs: { enqueue: () => Promise.resolve() },
    run: async (held, { isTurnOver }) => {
      begun.push(held.id)
      const end = new AbortController()
      running.set(held.id, () => end.abort())
      while (!end.signal.aborted && !(await isTurnOver())) await new Promise((wake) => setTimeout(wake, 5))
      running.delete(held.id)
      await settle(held, end.signal.aborted ? 'succeeded' : 'queued')
    },
    newId,
    now: () => new Date(),
    report: (fault) => void faults.push(fault),
  })
  const never = new AbortController().signal
  return {
    begun,
    running,
    faults,
    work: () => void runs.job.handle({}, never).catch((fault: unknown) => faults.push(fault)),
    endAll: async () => {
      for (const end of running.values()) end()
      await expect.poll(() => running.size).toBe(0)
    },
  }
}

verifies(
  'simulations.take-turns',
  'runs of several workspaces go on beside each other; a workspace with many has two at a time, and the others do not wait for them',
  async () => {
    const many = await makeBase(storage.db)
    const siblings = [many]
    for (let more = 0; more < 3; more += 1) siblings.push(await makeSibling(many))
    const ofMany: string[] = []
    for (const base of siblings) ofMany.push(await queueRun(base))
    const other = await queueRun(await makeBase(storage.db))
    const process = openProcess()
    process.work()
    await expect.poll(() => process.begun.length).toBe(3)
    // The single run of the other workspace goes before the second one of the first.
    expect(process.begun).toEqual([ofMany[0], other, ofMany[1]])
    process.running.get(other)?.()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(process.begun).toHaveLength(3)
    process.running.get(ofMany[0] ?? '')?.()
    await expect.poll(() => process.begun.length).toBe(4)
    expect(process.begun[3]).toBe(ofMany[2])
    await storage.db.deleteFrom('evaluations').where('status', '=', 'queued').execute()
    await process.endAll()
    expect(process.faults).toEqual([])
  },
)

test('where every place is taken by long runs, one of them makes room after a minute for a workspace that has none, and goes on afterwards', async () => {
  const started = performance.now()
  let later = 0
  vi.spyOn(performance, 'now').mockImplementation(() => started + later)
  try {
    const long: string[] = []
    for (let bases = 0; bases < 4; bases += 1) long.push(await queueRun(await makeBase(storage.db)))
    const process = openProcess()
    process.work()
    await expect.poll(() => process.begun.length).toBe(4)
    const waiting = await queueRun(await makeBase(storage.db))
    process.work()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(process.begun).toEqual(long)
    later = 61_000
    await expect.poll(() => process.begun).toContain(waiting)
    await expect.poll(() => process.running.size).toBe(4)
    process.running.get(waiting)?.()
    // Who made room goes on.
    await expect.poll(() => process.begun.length).toBeGreaterThanOrEqual(6)
    expect(long).toContain(process.begun[5])
    await storage.db.deleteFrom('evaluations').where('status', '=', 'queued').execute()
    await process.endAll()
    expect(process.faults).toEqual([])
  } finally {
    vi.restoreAllMocks()
  }
})
