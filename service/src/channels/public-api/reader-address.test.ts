import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { readerAddress } from './reader-address.ts'
import { cutSnippet } from './snippet.ts'

test.each([
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['2001:db9:1:2:3:4:5:6', undefined, '2001:db9:1:2::/64'],
  ['203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ['127.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['10.0.0.3', '6.6.6.6, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['127.0.0.1', 'rubbish', '127.0.0.1'],
  ['127.0.0.1', '10.1.1.1', '10.1.1.1'],
  ['', '198.51.100.7', undefined],
])('a reader behind %s with X-Forwarded-For %s counts as %s', (peer, forwardedFor, reader) => {
  expect(readerAddress(peer, forwardedFor, 'near')).toBe(reader)
})

const BEHIND_PROXIES = [
  ['127.0.0.1', '198.51.100.7', 'none', '127.0.0.1'],
  ['10.0.0.3', '198.51.100.7', ['192.0.2.0/24'], '10.0.0.3'],
  ['192.0.2.9', '6.6.6.6, 198.51.100.7, 192.0.2.1', ['192.0.2.0/24'], '198.51.100.7'],
  ['192.0.2.9', '6.6.6.6, 10.0.0.5', ['192.0.2.9'], '10.0.0.5'],
  ['2001:db9::1', '198.51.100.7', ['2001:db9::/32'], '198.51.100.7'],
  ['::ffff:192.0.2.9', '198.51.100.7', ['192.0.2.9'], '198.51.100.7'],
] as const

for (const [peer, forwardedFor, trusted, reader] of BEHIND_PROXIES) {
  verifies(
    'rate-limits.reader-address',
    `a reader behind ${peer} with X-Forwarded-For ${forwardedFor} and trusted proxies ${String(trusted)} counts as ${reader}`,
    () => {
      expect(readerAddress(peer, forwardedFor, trusted)).toBe(reader)
    },
  )
}

test('a snippet ends at a word, within its length, and never inside a character', () => {
  expect(cutSnippet('rotate  the\nkey', 20)).toBe('rotate the key')
  expect(cutSnippet('rotate the signing key', 14)).toBe('rotate the…')
  expect(cutSnippet('🔑'.repeat(10), 5)).toBe('🔑🔑🔑🔑…')
})
