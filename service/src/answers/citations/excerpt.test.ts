import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptAround } from './excerpt.ts'

const LONG = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')

const spanOf = (words: string) => {
  const start = LONG.indexOf(words)
  return { start, end: start + words.length }
}

test('an excerpt shows the evidence with its context, in whole words', () => {
  const excerpt = excerptAround(LONG, [spanOf('word100 word101')], 0)
  expect(excerpt).toContain('word100 word101')
  expect(excerpt).toMatch(/^… word\d+ .* word\d+ …$/)
  expect(excerpt.length).toBeGreaterThan(280)
  expect(excerpt.length).toBeLessThanOrEqual(304)
})

test('evidence that is longer than an excerpt is shown whole, and so are separate spans', () => {
  const longer = LONG.slice(LONG.indexOf('word50'), LONG.indexOf('word120'))
  expect(excerptAround(LONG, [spanOf(longer)], 0)).toContain(longer.trim())

  const apart = excerptAround(LONG, [spanOf('word150 word151'), spanOf('word20 word21')], 0)
  expect(apart).toMatch(/word20 word21 … word150 word151 .* …$/)
})

test('a short text is returned whole, and a long one without evidence is cut at the end', () => {
  expect(excerptAround('Keys rotate daily.', [], 0)).toBe('Keys rotate daily.')
  expect(excerptAround(LONG, [], 0)).toMatch(/^word0 .* …$/)
})

test('a leading heading is left out, unless it is the evidence', () => {
  const text = 'Keys Keys rotate daily.'
  expect(excerptAround(text, [{ start: 10, end: 16 }], 5)).toBe('Keys rotate daily.')
  expect(excerptAround(text, [{ start: 0, end: 4 }], 5)).toBe(text)
})

test('for any text, an excerpt respects its maximum length and contains all words of the evidence', () => {
  const span = fc.tuple(fc.nat(800), fc.nat(120))
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 900 }),
      fc.array(span, { maxLength: 3 }),
      fc.nat(100),
      (text, spans, from) => {
        const shown = spans
          .map(([start, length]) => ({ start, end: start + length }))
          .filter(
            ({ start, end }) => start < end && end <= text.length && text.slice(start, end).isWellFormed(),
          )
        const excerpt = excerptAround(text, shown, Math.min(from, text.length))
        expect(excerpt.length).toBeLessThanOrEqual(3 * (300 + 60) + 10)
        for (const { start, end } of shown) expect(excerpt).toContain(text.slice(start, end).trim())
      },
    ),
  )
})
