import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptAround } from './excerpt.ts'

const LONG = Array.from({ length: 200 }, (_, place) => `word${place}`).join(' ')

test('an excerpt shows the evidence with what stands around it, whole words only', () => {
  const excerpt = excerptAround(LONG, 'word100 word101')
  expect(excerpt).toContain('word100 word101')
  expect(excerpt).toMatch(/^… word\d+ .* word\d+ …$/)
  expect(excerpt.length).toBeLessThanOrEqual(304)
})

test('a short text is its own excerpt, and a long one without evidence is cut at the end', () => {
  expect(excerptAround('Keys rotate daily.', '')).toBe('Keys rotate daily.')
  expect(excerptAround(LONG, '')).toMatch(/^word0 .* …$/)
})

test('no text makes an excerpt too long or broken', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 900 }),
      fc.nat(600),
      fc.nat(400),
      (text, from, length) => {
        const excerpt = excerptAround(text, text.slice(from, from + length))
        expect(excerpt.length).toBeLessThanOrEqual(304)
      },
    ),
  )
})
