import { expect, test } from 'vitest'
import { ask, KEYS, LIMITS, world } from '../../../test/answering-world.ts'
import { HOSTILE_SHAPES, someHostileShapes } from '../../../test/hostile-shapes.ts'
import type { LanguageModel } from '../../platform/llm/language-model.ts'
import { readPassage, writeReading } from '../../content/reading/reading.ts'
import { coverageFeatures } from './coverage-gate.ts'
import { processorTime } from '../../../test/time-limit.ts'

/** A model that writes this text, in pieces of this size. */
const modelThatSays = (text: string, size: number): LanguageModel => ({
  name: 'hostile',
  async *write() {
    for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size))
  },
})

const SAID = 'Signing keys rotate daily [1]. '

test.each(someHostileShapes(1))('an answer of %s is processed in bounded time', async (_name, shape) => {
  for (const size of [14_000, 40_000]) {
    const answering = world([KEYS, LIMITS], { model: modelThatSays(SAID + shape(size), 97) })
    let outcome: Awaited<ReturnType<typeof ask>> | undefined
    const cost = await processorTime(async () => {
      outcome = await ask(answering)
    })
    const end = size > 16_000 ? { kind: 'failed', code: 'truncated' } : { kind: 'finished' }
    expect(outcome?.last).toMatchObject(end)
    expect(outcome?.streamed.startsWith('Signing keys rotate daily')).toBe(true)
    // About 300 ms of processor time in short slices; without limits it takes minutes.
    expect(cost).toBeLessThan(8_000)
    expect(answering.stored).toHaveLength(1)
  }
})

test('an answer in one piece does not block the event loop', async () => {
  const shape = HOSTILE_SHAPES['markdown:links-many']
  const answering = world([KEYS, LIMITS], { model: modelThatSays(shape?.(15_000) ?? '', 1_000_000) })
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  await ask(answering)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(3)
})

test.each(someHostileShapes(1))(
  'a passage of %s is quoted, cited and compared in bounded time',
  async (_name, shape) => {
    const text = `Signing keys rotate daily. ${shape(300_000)}`
    const passages = [
      { ...KEYS, text: text.slice(0, 8_000) },
      { ...LIMITS, text },
    ]
    const cost = await processorTime(async () => {
      const quoted = await ask(world(passages))
      expect(quoted.last).toMatchObject({ kind: 'finished' })
      const written = await ask(world(passages, { model: modelThatSays(`${SAID}[2]`, 50) }))
      expect(written.last).toMatchObject({ kind: 'finished' })
      // Only a question that names something needs all words of a passage.
      const named = { ...LIMITS, text: text.slice(0, 30_000) }
      coverageFeatures('How often does Acme rotate keys?', { passages: [named], pages: 1 })
    })
    // 4 s of processor time for the slowest shape, twice that in a worker beside others; without limits it takes minutes.
    expect(cost).toBeLessThan(20_000)
  },
)

test('an answer may link to addresses mentioned in its passage', async () => {
  const text = 'Signing keys rotate daily, see [this](https://named.example/keys).'
  const reading = writeReading(readPassage(text, []))
  const said =
    'Signing keys rotate daily: [this](https://named.example/keys), [that](https://evil.example/) [1].'
  const { last, streamed } = await ask(world([{ ...KEYS, text, reading }], { model: modelThatSays(said, 9) }))
  expect(last).toMatchObject({ kind: 'finished', covered: true })
  expect(streamed).toContain('[this](https://named.example/keys)')
  expect(streamed).not.toContain('evil.example')
})
