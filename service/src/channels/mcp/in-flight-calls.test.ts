import { expect, test } from 'vitest'
import { createInFlightCalls, type CallIdentity } from './in-flight-calls.ts'

const call: CallIdentity = {
  caller: 'key-1',
  cameFrom: '203.0.113.7 inspector',
  serverName: 'acme',
  requestId: 1,
}

function openWith(...calls: CallIdentity[]) {
  const inFlight = createInFlightCalls()
  const ended: number[] = []
  const closes = calls.map((each, place) => inFlight.begin(each, () => void ended.push(place)))
  return { ...inFlight, ended, closes }
}

test('a cancelled call ends, and no other one', () => {
  const { cancel, ended } = openWith(call, { ...call, requestId: 2 }, { ...call, caller: 'key-2' })
  cancel(call)
  expect(ended).toEqual([0])
})

test('two calls that look alike are both left alone: a stranger might have cancelled', () => {
  const { cancel, ended, closes } = openWith(call, call)
  cancel(call)
  expect(ended).toEqual([])
  closes[0]?.()
  cancel(call)
  expect(ended).toEqual([1])
})

test('a call that is over is not cancelled', () => {
  const { cancel, ended, closes } = openWith(call)
  closes[0]?.()
  cancel(call)
  expect(ended).toEqual([])
})
