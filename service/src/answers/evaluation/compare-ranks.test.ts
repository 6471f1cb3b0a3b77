import { expect, test } from 'vitest'
import { compareRanks, fallsBeyond, holdFiguresOf, type Ranked } from './compare-ranks.ts'

const never = () => new AbortController().signal
const QUESTIONS = ['first', 'second', 'third'].map((question) => ({ question }))
const hit: Ranked = { rank: 1, mode: 'hybrid' }

test('a fall counts in questions, from the first that is more than allowed', () => {
  const asked = (hits: number) =>
    Array.from({ length: 10 }, (_, index) => ({
      question: `${index}`,
      before: 1,
      after: index < hits ? 5 : 6,
    }))
  expect(holdFiguresOf(asked(9))).toMatchObject({ questions: 10, hit5_before: 10, hit5_after: 9 })
  expect(fallsBeyond(holdFiguresOf(asked(9)), 0.1)).toBe(false)
  expect(fallsBeyond(holdFiguresOf(asked(8)), 0.1)).toBe(true)
  expect(fallsBeyond(holdFiguresOf(asked(9)), 0)).toBe(true)
  expect(fallsBeyond(holdFiguresOf(asked(10)), 0)).toBe(false)
})

test('a question whose two searches differ in kind is searched again, and left out if they still do', async () => {
  const kinds: Record<string, Ranked['mode'][]> = {
    second: ['lexical', 'hybrid'],
    third: ['lexical', 'lexical'],
  }
  const asked = await compareRanks(
    QUESTIONS,
    {
      before: async () => hit,
      after: async ({ question }) => {
        const mode = kinds[question]?.shift() ?? 'hybrid'
        return { rank: mode === 'hybrid' ? 2 : undefined, mode }
      },
    },
    { signal: never(), limit: never() },
  )
  expect(asked).toEqual([
    { question: 'first', before: 1, after: 2 },
    { question: 'second', before: 1, after: 2 },
  ])
})

test('what is not asked within the limit is left out; a service that stops decides nothing', async () => {
  const stop = new AbortController()
  const untilStopped = {
    before: async () => hit,
    after: async ({ question }: { question: string }, signal: AbortSignal) => {
      if (question === 'second') stop.abort(new Error('over'))
      signal.throwIfAborted()
      return hit
    },
  }
  const inTime = await compareRanks(QUESTIONS, untilStopped, { signal: never(), limit: stop.signal })
  expect(inTime.map(({ question }) => question)).toEqual(['first'])
  const stopped = compareRanks(QUESTIONS, untilStopped, { signal: stop.signal, limit: never() })
  await expect(stopped).rejects.toThrow('over')
  const tooLate = compareRanks(QUESTIONS, untilStopped, { signal: never(), limit: stop.signal })
  await expect(tooLate).rejects.toThrow('No question could be compared')
})

test('a search that fails by itself fails the comparison: fewer questions would say less than they seem to', async () => {
  const failing = {
    before: async () => hit,
    after: async ({ question }: { question: string }) => {
      if (question === 'second') throw new Error('The index is gone.')
      return hit
    },
  }
  const compared = compareRanks(QUESTIONS, failing, { signal: never(), limit: never() })
  await expect(compared).rejects.toThrow('The index is gone.')
})
