import { expect, test } from 'vitest'
import { pageOfAddress } from '../../kernel/page-of-address.ts'
import { figuresOf, placeOf, type AskedQuestion } from './measure-questions.ts'

const DOCS = 'https://docs.example.com'

const asked = (given: Partial<AskedQuestion>): AskedQuestion => ({
  question: 'How?',
  urls: [`${DOCS}/keys`],
  isAnswerable: true,
  found: [],
  isCovered: undefined,
  ...given,
})

test('anchors, text fragments and a slash at the end make no other page', () => {
  expect(pageOfAddress(`${DOCS}/keys/#rotation:~:text=Keys`)).toBe(`${DOCS}/keys`)
  expect(pageOfAddress(`${DOCS}/keys/index.html`)).toBe(`${DOCS}/keys`)
  expect(pageOfAddress(`${DOCS}/keys?v=2#a`)).toBe(`${DOCS}/keys?v=2`)
  expect(pageOfAddress(`${DOCS}/`)).toBe(pageOfAddress(DOCS))
})

test('a page has one place, however many of its passages come before', () => {
  const found = [`${DOCS}/a#1`, `${DOCS}/a#2`, `${DOCS}/keys#rotation`]
  expect(placeOf(asked({ found }))).toBe(2)
  expect(placeOf(asked({ found: [`${DOCS}/a`] }))).toBeUndefined()
})

test('figures are as by hand', () => {
  const figures = figuresOf([
    asked({ found: [`${DOCS}/keys`] }),
    asked({ found: [`${DOCS}/a`, `${DOCS}/b`, `${DOCS}/c`, `${DOCS}/d`, `${DOCS}/e`, `${DOCS}/keys`] }),
    asked({ found: [`${DOCS}/a`] }),
    // Either page is enough: this one counts as found first.
    asked({ urls: [`${DOCS}/keys`, `${DOCS}/rotation`], found: [`${DOCS}/rotation`] }),
  ])
  expect(figures.ranking).toMatchObject({
    hit1: 2 / 4,
    hit5: 2 / 4,
    hit10: 3 / 4,
    mrr10: (1 + 1 / 6 + 1) / 4,
    ndcg10: (1 + 1 / Math.log2(7) + 1) / 4,
  })
})

test('refusing is counted apart for what can be answered and what cannot', () => {
  const figures = figuresOf([
    asked({ urls: [], isAnswerable: false, isCovered: false }),
    asked({ urls: [], isAnswerable: false, isCovered: true }),
    asked({ isCovered: true }),
  ])
  expect(figures.refusedRightly).toEqual({ count: 1, of: 2 })
  expect(figures.answered).toEqual({ count: 1, of: 1 })
  expect(figuresOf([asked({})]).refusedRightly).toEqual({ count: 0, of: 0 })
})
