import { expect, test } from 'vitest'
import { addressOrigin } from './address-origin.ts'
import { apiAddress } from './api-address.ts'

const USUAL = 'https://slack.com/api'

test('an address that was taken away is the usual one again, and credentials stay with it', () => {
  expect(apiAddress({ api_url: null }, USUAL)).toBe(USUAL)
  expect(addressOrigin({ api_url: null })).toBe(addressOrigin({}))
  expect(addressOrigin({ api_url: null })).not.toBe(addressOrigin({ api_url: 'https://slack-gov.com/api' }))
})

test.each(['https://rt.example.com/?x=1', 'https://rt.example.com/#x', 'http://rt.example.com', 'rt', 7])(
  '%j is no address of an API: a path could not be added to it, or it is not encrypted',
  (given) => {
    expect(apiAddress({ api_url: given }, USUAL)).toBeUndefined()
  },
)
