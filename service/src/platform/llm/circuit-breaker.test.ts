import { describe, expect, test } from 'vitest'
import { BREAKER_SETTINGS, createCircuitBreaker } from './circuit-breaker.ts'

function failing(times: number, everyMs: number) {
  const clock = { now: 0 }
  const breaker = createCircuitBreaker(() => clock.now, BREAKER_SETTINGS)
  for (let count = 0; count < times; count += 1) {
    breaker.failed()
    clock.now += everyMs
  }
  return { breaker, clock }
}

describe('a circuit breaker', () => {
  test('opens after five failures within 30 seconds', () => {
    expect(failing(4, 100).breaker.admits()).toBe(true)
    expect(failing(5, 100).breaker.admits()).toBe(false)
  })

  test('stays closed while failures are rare', () => {
    expect(failing(20, 8_000).breaker.admits()).toBe(true)
  })

  test('lets one probe through after five seconds, and closes when it succeeds', () => {
    const { breaker, clock } = failing(5, 0)
    clock.now = 5_000
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false])
    breaker.succeeded()
    expect([breaker.admits(), breaker.admits()]).toEqual([true, true])
  })

  test('waits again after a failed probe', () => {
    const { breaker, clock } = failing(5, 0)
    clock.now = 5_000
    breaker.admits()
    breaker.failed()
    clock.now = 9_999
    expect(breaker.admits()).toBe(false)
    clock.now = 10_000
    expect(breaker.admits()).toBe(true)
  })
})
