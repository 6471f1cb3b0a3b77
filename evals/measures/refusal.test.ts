import { expect, test } from 'vitest'
import { answerOf, observe } from './observe.ts'
import { accuracyCurve, auroc, calibrationBins, calibrationError, measureRefusal } from './refusal.ts'

const judged = (isAnswerable: boolean, confidence: number) => ({
  isAnswerable,
  confidence,
  isCovered: confidence >= 0.5,
})

const FOUR = [judged(true, 0.9), judged(true, 0.4), judged(false, 0.6), judged(false, 0.1)]

test('AUROC is the fraction of pairs in the right order, with ties counted half', () => {
  expect(auroc(FOUR)).toBe(3 / 4)
  expect(auroc([judged(true, 0.5), judged(false, 0.5)])).toBe(0.5)
})

test('the curve counts confidences at or above the threshold as answers', () => {
  const at = new Map(accuracyCurve(FOUR).map(({ threshold, accuracy }) => [threshold, accuracy]))
  expect(at.get(0)).toBe(0.5)
  expect(at.get(0.4)).toBe((1 + 0.5) / 2)
  expect(at.get(0.9)).toBe((0.5 + 1) / 2)
  expect(at.get(1)).toBe(0.5)
})

test('calibration compares confidence with outcome, in bins weighted by their number of questions', () => {
  const three = [judged(true, 0.85), judged(false, 0.85), judged(false, 0.05)]
  expect(calibrationBins(three).map(({ count, answerable }) => [count, answerable])).toEqual([
    [1, 0],
    [2, 0.5],
  ])
  expect(calibrationError(three)).toBeCloseTo((0.05 + 2 * 0.35) / 3)
  expect(calibrationBins([judged(true, 1)])).toMatchObject([{ from: 0.9, count: 1, answerable: 1 }])
})

test('figures equal those computed by hand, at the product’s threshold and at the best one', () => {
  const observations = FOUR.map(({ isAnswerable, confidence, isCovered }) =>
    observe({ question: { isAnswerable }, answer: answerOf({ confidence, isCovered }) }),
  )
  expect(measureRefusal(observations)).toMatchObject({
    balanced_accuracy: 0.5,
    answered: 0.5,
    refused: 0.5,
    best_balanced_accuracy: 0.75,
    best_threshold: 0.4,
    auroc: 0.75,
  })
})

test('a set with only answerable questions gives no figures on refusals', () => {
  expect(measureRefusal([observe({ answer: answerOf() })])).toEqual({})
  expect(measureRefusal([observe({ question: { isAnswerable: undefined }, answer: answerOf() })])).toEqual({})
})
