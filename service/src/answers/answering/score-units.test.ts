import { expect, test } from 'vitest'
import { passage } from '../../../test/answering-world.ts'
import { failingEmbedder } from '../../../test/failing-embedder.ts'
import { unitsOf } from './quotes.ts'
import { scoreUnits } from './score-units.ts'

/** The unit of two passages that scores best by words alone. Of two that score the same it is that of the first passage. */
async function bestOf(query: string, first: string, second: string) {
  const placed = await unitsOf([{ passages: [first, second].map((text) => passage(1, text)) }])
  const [best] = await scoreUnits(query, placed, { embedder: undefined }, new AbortController().signal)
  return best?.unit.plain
}

const BEFORE = 'Wait until it has ended.'

test('a sentence that opens its section is better than one within a section', async () => {
  const [within, opening] = [`${BEFORE} The keys rotate daily.`, 'Daily the keys rotate.']
  expect(await bestOf('how keys rotate', within, opening)).toBe(opening)
})

test('a sentence that only tells where to look is worse than one that says something', async () => {
  const [pointer, said] = ['See how the keys rotate.', 'Read how the keys rotate.']
  expect(await bestOf('how keys rotate', `${BEFORE} ${pointer}`, `${BEFORE} ${said}`)).toBe(said)
})

test('a row of a table without a header is worse than one with a header', async () => {
  const row = (header: string) => `${header}\n|---|---|\n| daily | the keys rotate |`
  expect(await bestOf('how keys rotate', row('|  |  |'), row('| when | what |'))).toContain('what')
})

test('an answer that nobody waits for any more is not written with words alone', async () => {
  const placed = await unitsOf([{ passages: [passage(1, 'Daily the keys rotate.')] }])
  const leaving = new AbortController()
  const embedder = failingEmbedder((text) => {
    leaving.abort(new Error('The reader has left.'))
    return new Error(`no vector of ${text}`)
  })
  await expect(scoreUnits('how keys rotate', placed, { embedder }, leaving.signal)).rejects.toThrow(
    'The reader has left.',
  )
})
