import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { addressKind } from './address-kind.ts'

test.each([
  ['93.184.216.34', 'public'],
  ['10.0.0.1', 'private'],
  ['169.254.169.254', 'metadata'],
  ['2606:2800:220:1::1', 'public'],
  // Unicast by its form, but outside of 2000::/3, which is all that was ever given out (RFC 4291, IANA).
  ['4000::1', 'private'],
  ['8000::1', 'private'],
  ['1fff:ffff::1', 'private'],
  ['fd00::1', 'private'],
  ['fe80::1', 'metadata'],
  ['::1', 'private'],
  ['::ffff:93.184.216.34', 'private'],
  ['2002:5db8:d822::1', 'private'],
  ['64:ff9b::5db8:d822', 'private'],
  // What is embedded counts: here an address of one's own network link.
  ['2002:a9fe:102::1', 'metadata'],
  ['64:ff9b::a9fe:102', 'metadata'],
  ['::ffff:169.254.1.2', 'metadata'],
])('%s counts as %s', (address, kind) => {
  expect(addressKind(ipaddr.parse(address))).toBe(kind)
})
