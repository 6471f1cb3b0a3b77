import { verifies } from '@citewell/spec/verifies'
import { afterEach, expect, vi } from 'vitest'
import { HOUR_MS } from '../../../kernel/duration.ts'
import type { EngineThread } from './engine-thread.ts'
import { keepEngineOpen } from './keep-engine-open.ts'

afterEach(() => {
  vi.useRealTimers()
})

verifies(
  'running.durations',
  'who waits for the storage to be reopened is refused after five seconds, also if the clock is set back meanwhile',
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let time = new Date('2026-03-09T10:00:00.000Z')
    const ends = Promise.withResolvers<Error>()
    const hangs = new Promise<void>(() => {})
    const engineThat = (opened: Promise<void>): EngineThread => ({
      opened,
      ended: ends.promise,
      send: () => Promise.resolve({ rows: [], affectedRows: undefined }),
      terminate: () => Promise.resolve(),
    })
    const engines = [engineThat(Promise.resolve()), engineThat(hangs)]
    const kept = keepEngineOpen({
      start: () => engines.shift() ?? engineThat(hangs),
      beforeOpening: () => Promise.resolve(),
      makeRoom: () => Promise.resolve(),
      onOpened: () => Promise.resolve(),
      report: () => {},
      now: () => time,
    })
    await kept.current()
    ends.resolve(new Error('The engine ended.'))
    await vi.waitFor(() => expect(kept.state().is).toBe('opening'))
    time = new Date(time.getTime() - HOUR_MS)

    let refused: unknown
    kept.current().catch((refusal: unknown) => {
      refused = refusal
    })
    await vi.advanceTimersByTimeAsync(4_999)
    expect(refused).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(refused).toMatchObject({ code: 'UNAVAILABLE', reason: 'opening' })
    await kept.close(() => Promise.resolve())
  },
)
