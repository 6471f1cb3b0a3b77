import { expect, test } from 'vitest'
import { asUnavailable } from './storage-unavailable.ts'

const failed = (message: string, code?: string) => Object.assign(new Error(message), { code })

test.each([
  ['53100', 'full'],
  ['25006', 'full'],
  ['ENOSPC', 'full'],
  ['53300', 'busy'],
  ['57014', 'tooLong'],
  ['57P01', 'noAnswer'],
  ['57P03', 'noAnswer'],
  ['58030', 'noAnswer'],
  ['08006', 'noAnswer'],
  ['ECONNREFUSED', 'noAnswer'],
])('%s is not an error of the statement: the storage is unavailable (%s)', (code, reason) => {
  const cause = failed('connect to 10.0.0.7 failed', code)
  const converted = asUnavailable(cause)

  expect(converted).toMatchObject({ code: 'UNAVAILABLE', reason, cause })
  // The message for the caller names no host.
  expect((converted as Error).message).not.toContain('10.0.0.7')
})

test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
  '"%s" of the pg package is a lost connection',
  (message) => {
    expect(asUnavailable(failed(message))).toMatchObject({ code: 'UNAVAILABLE', reason: 'noAnswer' })
  },
)

test('an error of the statement is not changed', () => {
  for (const code of ['23505', '42P01', '40001', '22P05', undefined]) {
    const fault = failed('duplicate key', code)
    expect(asUnavailable(fault)).toBe(fault)
  }
})
