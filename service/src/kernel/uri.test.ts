import fc from 'fast-check'
import { expect, test } from 'vitest'
import { webAddress } from './uri.ts'

/** RFC 3986, appendix B and the characters of section 2. */
const STRICT =
  /^https?:\/\/[^/?#\s]+(?:\/(?:[\w.~:@!$&'()*+,;=/-]|%[0-9A-F]{2})*)?(?:\?(?:[\w.~:@!$&'()*+,;=/?-]|%[0-9A-F]{2})*)?(?:#(?:[\w.~:@!$&'()*+,;=/?-]|%[0-9A-F]{2})*)?$/i

test.each([
  ['https://docs.test/keys#rotation', 'https://docs.test/keys#rotation'],
  ['https://docs.test', 'https://docs.test'],
  ['https://docs.test/größe?x=a|b', 'https://docs.test/gr%C3%B6%C3%9Fe?x=a%7Cb'],
  ['https://docs.test/a)b"onmouseover=alert(1)', 'https://docs.test/a)b%22onmouseover=alert(1)'],
  ['https://docs.test/[x]#a#b', 'https://docs.test/%5Bx%5D#a%23b'],
  ['https://docs.test/100%', 'https://docs.test/100%25'],
  ['https://user:pass@docs.test/x', 'https://docs.test/x'],
  ['guide/running.md', undefined],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['', undefined],
])('%s is %s', (address, expected) => {
  expect(webAddress(address)).toBe(expected)
})

test('every accepted address is valid under RFC 3986, and normalising it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (rest) => {
      const address = webAddress(`https://docs.test/${rest}`)
      if (address === undefined) return
      expect(address).toMatch(STRICT)
      expect(webAddress(address)).toBe(address)
    }),
    { numRuns: 500 },
  )
})
