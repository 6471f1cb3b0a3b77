import { expect, test } from 'vitest'
import { interval, rateInWords, savingsOf, seconds } from './figures-in-words.ts'

test('rates, intervals and durations are told as people read them', () => {
  expect(rateInWords({ answered: 400, of: 1_000, rate: 0.4 })).toBe('40.0 %')
  expect(rateInWords({ answered: 1_000, of: 4_000, rate: null })).toBe('1,000 of 4,000')
  expect(interval({ low: 0.37, high: 0.431 })).toBe('37.0 to 43.1 %')
  expect([0.2, 61, 240, 7_300].map(seconds)).toEqual(['a second', '61 seconds', '4 minutes', '2 hours'])
})

test('what a month saves is the time of people less the cost of the model', () => {
  const factors = { ticketsAMonth: 1_000, minutesATicket: 10, costAnHour: 30, costAnAnswer: 0.01 }
  expect(savingsOf(0.3, factors)).toEqual({ hours: 50, money: 1_490 })
  expect(savingsOf(0, factors).money).toBe(-10)
})
