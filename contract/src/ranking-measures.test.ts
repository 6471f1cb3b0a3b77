import { expect, test } from 'vitest'
import { meanRanking, measureRanking } from './ranking-measures.ts'

test('measures of a list equal those computed by hand', () => {
  // Gains in order: 0, 1, 0, 2. Best order: 2, 1.
  const measured = measureRanking(
    ['x', 'b', 'y', 'a'],
    new Map([
      ['a', 2],
      ['b', 1],
    ]),
  )
  const found = 1 / Math.log2(3) + 2 / Math.log2(5)
  const best = 2 / Math.log2(2) + 1 / Math.log2(3)
  expect(measured).toEqual({ ndcg10: found / best, mrr10: 0.5, recall10: 1, hit1: 0, hit5: 1, hit10: 1 })
  expect(measured?.ndcg10).toBeCloseTo(0.5672, 4)
})

test('a page counts once, by its best passage', () => {
  const relevant = new Map([['b', 1]])
  expect(measureRanking(['a', 'a', 'a', 'b'], relevant)).toEqual(measureRanking(['a', 'b'], relevant))
})

test('pages after the tenth do not count', () => {
  const ten = Array.from({ length: 10 }, (_, place) => `page ${place}`)
  expect(measureRanking([...ten, 'late'], new Map([['late', 1]]))).toEqual({
    ndcg10: 0,
    mrr10: 0,
    recall10: 0,
    hit1: 0,
    hit5: 0,
    hit10: 0,
  })
  expect(measureRanking(ten, new Map([['page 9', 1]]))).toMatchObject({ mrr10: 0.1, hit5: 0, hit10: 1 })
})

test('a question with more relevant pages than ten can still reach an nDCG of 1, and a recall below it', () => {
  const pages = Array.from({ length: 12 }, (_, place) => `page ${place}`)
  const measured = measureRanking(pages, new Map(pages.map((page) => [page, 1])))
  expect(measured).toMatchObject({ ndcg10: 1, recall10: 10 / 12 })
})

test('a question that no page answers has no measure', () => {
  expect(measureRanking(['a'], new Map())).toBeUndefined()
  expect(measureRanking(['a'], new Map([['a', 0]]))).toBeUndefined()
  expect(meanRanking([])).toBeUndefined()
})

test('the mean is taken over questions', () => {
  const measured = [['a'], ['b']].flatMap((pages) => measureRanking(pages, new Map([['a', 1]])) ?? [])
  expect(meanRanking(measured)).toEqual({
    ndcg10: 0.5,
    mrr10: 0.5,
    recall10: 0.5,
    hit1: 0.5,
    hit5: 0.5,
    hit10: 0.5,
  })
})
