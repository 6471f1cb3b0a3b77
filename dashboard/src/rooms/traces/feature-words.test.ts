import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { featureInWords, inReadingOrder } from './feature-words.ts'

const FEATURES = new URL('../../../../service/src/answers/answering/coverage-features.ts', import.meta.url)

test('all that a judgement looks at is explained in words of its own', () => {
  const codes = [...readFileSync(FEATURES, 'utf8').matchAll(/^ {2}(\w+): number$/gm)].map(([, code = '']) =>
    code.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )
  expect(codes).toContain('nearest_mean')
  const explained = codes.map(featureInWords)
  expect(explained.filter(({ means }) => means === undefined)).toEqual([])
  expect(new Set(explained.map(({ name }) => name)).size).toBe(codes.length)
})

test('a feature that is not known yet is named by its code', () => {
  expect(featureInWords('new_part')).toEqual({ name: 'New part', means: undefined })
  expect(featureInWords('constructor').means).toBe(undefined)
})

test('the features are read in an order, unknown ones last', () => {
  const read = inReadingOrder({ new_part: 1, missing: 0.2, sentence: 0.5, similarity: 0.7 })
  expect(read.map(([code]) => code)).toEqual(['similarity', 'sentence', 'missing', 'new_part'])
})
