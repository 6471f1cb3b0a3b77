import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { differenceOf, openDatabaseClock } from '../../src/platform/storage/database-clock.ts'
import { fakeLlm, startFakeLlm } from '../fake-llm.ts'
import { openPushedBase } from '../open-pushed-base.ts'
import { startTestService } from '../start-service.ts'
import { openTestStorage, type TestStorage } from '../test-storage.ts'

const MINUTE_MS = 60_000
const aside = (minutes: number) => () => new Date(Date.now() + minutes * MINUTE_MS)

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

const timeOfDatabase = async () => {
  const { rows } = await storage.execute('select clock_timestamp() as now')
  return new Date(String(rows[0]?.['now'])).getTime()
}

verifies(
  'running.one-clock',
  'of two processes whose clocks are twenty minutes apart both write the time of the database, and neither takes the work of the other',
  async () => {
    const { promise: isFreed, resolve: free } = Promise.withResolvers<void>()
    await using llm = await startFakeLlm(async (exchange) => {
      await isFreed
      await fakeLlm.says('Signing keys are rotated every day at midnight [1].')(exchange)
    })
    const model = { CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake' }
    // A process closes its storage; that of the test goes on.
    const shared = { ...storage, close: () => Promise.resolve() }
    await using behind = await startTestService(model, { storage: shared, surroundings: { now: aside(-10) } })
    await using ahead = await startTestService(model, { storage: shared, surroundings: { now: aside(10) } })
    for (const service of [behind, ahead]) {
      const { created_at: at } = await service.json<{ created_at: string }>(
        'POST',
        '/api/v1/knowledge-bases',
        { name: 'Acme docs' },
      )
      expect(Math.abs(Date.parse(at) - (await timeOfDatabase()))).toBeLessThan(MINUTE_MS / 2)
    }

    // A process takes what it was asked for at once; the other one looks for what was abandoned each five seconds.
    const base = await openPushedBase(behind, [
      { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' },
    ])
    const path = `/api/v1/knowledge-bases/${base.id}`
    await behind.json('POST', `${path}/evaluation-questions`, { question: 'When are signing keys rotated?' })
    const { id } = await behind.json<{ id: string }>('POST', `${path}/evaluations`)
    await expect.poll(() => llm.requests.length, { timeout: 10_000 }).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 6_500))
    free()
    await behind.until<{ status: string }>(
      `/api/v1/evaluations/${id}`,
      ({ status }) => status === 'succeeded',
    )
    expect(llm.requests).toHaveLength(1)
  },
  { timeout: 180_000, tags: ['long'] },
)

test(
  'the clock of the database is followed on this engine, however far it is from that of the process, and when that jumps',
  { timeout: 30_000, tags: ['long'] },
  async () => {
    let minutes = 90
    const clock = await openDatabaseClock({ storage, ownNow: () => aside(minutes)(), onFailed: () => {} })
    const distance = async () => Math.abs(clock.now().getTime() - (await timeOfDatabase()))
    expect(await distance()).toBeLessThan(5_000)
    minutes = -90
    await expect.poll(distance, { timeout: 15_000 }).toBeLessThan(5_000)
    clock.stop()
  },
)

test('a time that may be right is kept, and one that cannot be is moved no further than it must', () => {
  // Asked at 1,000 and answered at 1,300.
  const asked = { before: 1_000, after: 1_300 }
  expect(differenceOf(0, { ...asked, read: 1_100 })).toBe(0)
  expect(differenceOf(0, { ...asked, read: 61_100 })).toBe(59_800)
  expect(differenceOf(59_900, { ...asked, read: 61_100 })).toBe(59_900)
  expect(differenceOf(0, { ...asked, read: -60_000 })).toBe(-61_000)
})
