import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { someHostileShapes } from '../../../test/hostile-shapes.ts'
import type { ParsedDocument } from '../parsing/parsing.ts'
import { MAX_PASSAGE_LENGTH, readingOf } from '../reading/reading.ts'
import { createPreparing, IndexFailure } from './indexing.ts'
import { preparePassages } from './prepare-passages.ts'
import { createRoundRobin } from './round-robin.ts'

const page = (title: string, ...texts: string[]): ParsedDocument => ({
  title,
  language: 'en',
  blocks: texts.map((markdown) => ({ kind: 'paragraph', markdown })),
})
const task = (document: ParsedDocument) => ({
  document,
  language: 'en',
  counting: { kind: 'bytes', perToken: 4 } as const,
  maxTokens: 256,
})
const never = new AbortController().signal

const preparing = createPreparing()
afterAll(preparing.close)

test(
  'a document is divided into the same passages with and without a worker thread',
  { tags: ['long'] },
  async () => {
    const document = page(
      'Keys',
      ...Array.from({ length: 210 }, (_, at) => `Key ${at} rotates daily. ${'word '.repeat(150)}`),
    )
    const prepared = await preparing.prepare('base', task(document), never)

    expect(prepared).toEqual(
      preparePassages(document, 'en', {
        countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 4),
        maxTokens: 256,
      }),
    )
    expect(prepared.passages.length).toBeGreaterThan(200)
    const [first] = prepared.passages
    expect(first && readingOf(first).parts[0]?.[0]).toContain('Key 0 rotates daily.')
  },
)

test.each(someHostileShapes(0))('%s is divided into passages of bounded length', async (_name, shape) => {
  const document = page(shape(2_000), shape(12_000))
  const { passages, pageTerms } = await preparing.prepare('base', task(document), never)
  expect(pageTerms.length).toBeLessThanOrEqual(400_000)
  for (const { text, terms, reading, parts } of passages) {
    expect(text.length).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH)
    expect(terms.length).toBeLessThanOrEqual(60_000)
    expect(reading.length).toBeLessThanOrEqual(12 * MAX_PASSAGE_LENGTH)
    expect(parts[0]?.length).toBeLessThanOrEqual(4_000)
  }
})

test('a document that takes too long fails, and the next one succeeds', async () => {
  await using hurried = Object.assign(createPreparing(30), {
    [Symbol.asyncDispose]: () => hurried.close(),
  })
  const long = page('Long', 'word '.repeat(2_000_000))
  await expect(hurried.prepare('base', task(long), never)).rejects.toThrow(IndexFailure)
  await expect(hurried.prepare('base', task(long), never)).rejects.toThrow('took longer than')
  const prepared = await preparing.prepare('base', task(page('Next', 'Well.')), never)
  expect(prepared.passages).toHaveLength(1)
})

test('a document that takes too much memory fails, and the next one succeeds', async () => {
  const small = createPreparing(undefined, 32)
  onTestFinished(() => small.close())
  const large = page(
    'Large',
    ...Array.from({ length: 25_000 }, (_, at) => `Key ${at} ${'rotates '.repeat(100)}`),
  )
  await expect(small.prepare('base', task(large), never)).rejects.toThrow(
    'Dividing it into passages took more than 32 MB of memory.',
  )
  expect((await small.prepare('base', task(page('Next', 'Well.')), never)).passages).toHaveLength(1)
})

test('a thread that had nothing to do is replaced, and after the end of the service there is none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const resting = createPreparing()
  const divide = async () => (await resting.prepare('base', task(page('Keys', 'Well.')), never)).passages
  expect(await divide()).toHaveLength(1)
  vi.advanceTimersByTime(10_000)
  expect(await divide()).toHaveLength(1)
  await resting.close()
  await expect(divide()).rejects.toThrow('The service is shutting down.')
})

test('a cancelled document is abandoned', async () => {
  const stop = new AbortController()
  const long = preparing.prepare('base', task(page('Long', 'word '.repeat(1_000_000))), stop.signal)
  setTimeout(() => stop.abort(new Error('cancelled')), 20)
  await expect(long).rejects.toThrow('cancelled')
})

test('a document with too many passages is refused with the limit', () => {
  const blocks = Array.from({ length: 31_000 }, (_, at) => ({
    kind: 'heading' as const,
    depth: 1,
    text: `Heading ${at} ${'x'.repeat(130)}`,
    anchor: undefined,
  }))
  const limits = { countTokens: (text: string) => text.length / 4, maxTokens: 256 }
  expect(() => preparePassages({ title: 'T', language: 'en', blocks }, 'en', limits)).toThrow('Split it')
})

test('shares take turns', async () => {
  const turns = createRoundRobin()
  const done: string[] = []
  const work = (name: string) => async () => {
    await Promise.resolve()
    done.push(name)
  }
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => turns.take('a', work(name))),
    turns.take('b', work('b1')),
  ])
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3'])
  // When nothing waits, it is forgotten who had a turn.
  await Promise.all(['c1', 'a4', 'd1'].map((name) => turns.take(name.slice(0, 1), work(name))))
  expect(done.slice(4)).toEqual(['c1', 'a4', 'd1'])
})
