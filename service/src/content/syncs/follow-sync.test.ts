import { expect, test } from 'vitest'
import { followSync } from './follow-sync.ts'
import { NO_COUNTS, type SyncRow } from './syncs-store.ts'

const START = new Date('2026-03-09T10:00:00.000Z')

const syncAt = (second: number, changes: Partial<SyncRow>): SyncRow => ({
  knowledge_base_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11',
  source_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c12',
  status: 'running',
  counts: NO_COUNTS,
  error: null,
  accepts_deletions: false,
  cancel_requested: false,
  only_addresses: null,
  lease: null,
  heartbeat_at: null,
  attempts: 1,
  starts: 1,
  warnings: [],
  started_at: START,
  finished_at: null,
  hold_status: null,
  hold_figures: null,
  hold_decided_at: null,
  created_at: START,
  updated_at: new Date(START.getTime() + second * 1_000),
  ...changes,
})

const errors = [{ kind: 'failed' as const, url: 'https://example.com/a', reason: 'It answered 503.' }]

test('each change is sent once, and the end with its errors; in between it waits', async () => {
  const rows = [
    syncAt(0, { status: 'queued' }),
    syncAt(0, { status: 'queued' }),
    syncAt(1, { counts: { ...NO_COUNTS, added: 1 } }),
    syncAt(2, { counts: { ...NO_COUNTS, added: 2 }, status: 'partial', finished_at: START }),
  ]
  const look = () => {
    const sync = rows.shift()
    if (sync === undefined) throw new Error('The sync was read again after its end.')
    return Promise.resolve({ sync, errors: sync.finished_at === null ? [] : errors })
  }
  const began = performance.now()
  const frames = await Array.fromAsync(followSync(look, 20, new AbortController().signal))
  expect(performance.now() - began).toBeGreaterThan(3 * 20 - 5)
  expect(frames.map((frame) => [frame.status, frame.counts.added, frame.errors])).toEqual([
    ['queued', 0, undefined],
    ['running', 1, undefined],
    ['partial', 2, errors],
  ])
})

test('polling stops when the client disconnects', async () => {
  const reader = new AbortController()
  let looks = 0
  const look = () => {
    looks += 1
    return Promise.resolve({ sync: syncAt(looks, {}), errors: [] })
  }
  const seen: string[] = []
  for await (const frame of followSync(look, 1, reader.signal)) {
    seen.push(frame.updated_at)
    if (seen.length === 3) reader.abort()
  }
  expect(looks).toBe(3)
})
