import { expect, test } from 'vitest'
import { createHostPace } from './host-pace.ts'

/** A pace whose clock advances with its waits, and readers of it. */
function makePace() {
  let clock = 0
  const waits: number[] = []
  const pace = createHostPace({
    maxConcurrent: 4,
    now: () => clock,
    wait: async (milliseconds, signal) => {
      signal.throwIfAborted()
      waits.push(milliseconds)
      clock += milliseconds
      await Promise.resolve()
    },
  })
  const { signal } = new AbortController()
  const reader = (delayMs: number) => ({ delayMs: () => delayMs, signal })
  const ask = async (given: ReturnType<typeof reader>, host = 'docs.test') =>
    await pace.run(host, given, () => Promise.resolve('answered'))
  return { pace, reader, ask, waits }
}

test('a crawl delay applies to the reader that found it, for as long as it reads', async () => {
  const { reader, ask, waits } = makePace()
  const delayed = reader(10_000)
  for (let time = 0; time < 3; time += 1) await ask(delayed)
  expect(waits).toEqual([10_000, 10_000])
  const later = reader(0)
  for (let time = 0; time < 3; time += 1) await ask(later)
  expect(waits).toHaveLength(2)
})

test('a waiting reader leaves the queue when it is cancelled', async () => {
  const { pace, reader, ask } = makePace()
  let end = () => {}
  const busy = reader(10_000)
  const first = pace.run('docs.test', busy, async () => {
    await new Promise<void>((resolve) => {
      end = resolve
    })
  })
  const leaving = new AbortController()
  const second = pace.run('docs.test', { ...busy, signal: leaving.signal }, () => Promise.resolve())
  const third = pace.run('docs.test', busy, () => Promise.resolve('third'))
  leaving.abort(new Error('cancelled'))
  await expect(second).rejects.toThrow('cancelled')
  end()
  await first
  expect(await third).toBe('third')
  expect(await ask(reader(0))).toBe('answered')
})
