import { check, constant, oneof, property, stringMatching, webUrl } from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseAddress } from './page-address.ts'

test.each([
  ['HTTPS://Docs.Example.com:443/a/../b/./c#top', 'https://docs.example.com/b/c'],
  ['https://docs.example.com', 'https://docs.example.com/'],
  ['https://docs.example.com./a', 'https://docs.example.com/a'],
  ['https://docs.example.com/%7ejoe/%c3%a4', 'https://docs.example.com/~joe/%C3%A4'],
  ['https://docs.example.com/ä b', 'https://docs.example.com/%C3%A4%20b'],
  ['https://docs.example.com/a?', 'https://docs.example.com/a'],
  ['https://docs.example.com/a?utm_source=x&b=1&gclid=2', 'https://docs.example.com/a?b=1'],
  ['https://docs.example.com/a?utm_source=x', 'https://docs.example.com/a'],
  ['https://docs.example.com/a?b=%2F%2f', 'https://docs.example.com/a?b=%2F%2F'],
  ['https://user:secret@docs.example.com/', 'https://docs.example.com/'],
  ['https://docs.example.com/a%2e%2E/b', 'https://docs.example.com/a../b'],
])('%s is normalized to %s', (address, normal) => {
  expect(normaliseAddress(address)).toBe(normal)
})

test.each([
  'mailto:a@example.com',
  'javascript:void(0)',
  'file:///etc/passwd',
  'data:,x',
  'not an address',
  'https://',
])('%s is not the address of a page', (address) => {
  expect(normaliseAddress(address)).toBeUndefined()
})

test('normalising is idempotent', () => {
  const tail = stringMatching(/^[a-zA-Z0-9%.~/?&=#+;:@äß漢 -]{0,20}$/)
  const start = oneof(webUrl({ withFragments: true, withQueryParameters: true }), constant(''))
  const isStable = property(start, tail, (url, more) => {
    const once = normaliseAddress(url + more, 'https://docs.example.com/x/y')
    return once === undefined || normaliseAddress(once) === once
  })
  expect(check(isStable, { numRuns: 5_000 })).toMatchObject({ failed: false })
})
