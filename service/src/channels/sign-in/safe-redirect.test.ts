import { expect, test } from 'vitest'
import { safeRedirect, signInAddress } from './safe-redirect.ts'

/** Each leads to another site in some browser, or looks like it. */
const TRICKS = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  String.raw`/\evil.example`,
  String.raw`\\evil.example`,
  String.raw`/x\..\..\evil.example`,
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nlocation: https://evil.example',
  '\u0000//evil.example',
  ' //evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e%2e//evil.example',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http:evil.example',
  'evil.example',
  '@evil.example',
  ':80',
  '',
  undefined,
  ['/connect/abc'],
  `/${'x'.repeat(3_000)}`,
  '/\u2215\u2215evil.example',
]

test.each(TRICKS)('%j is replaced by the account page', (to) => {
  expect(safeRedirect(to)).toBe('/account')
})

test('a path of this service is kept with its query, and without its fragment', () => {
  expect(safeRedirect('/connect/abc?x=1&y=%2F#part')).toBe('/connect/abc?x=1&y=%2F')
  expect(safeRedirect('/invitation?code=cw_inv_x')).toBe('/invitation?code=cw_inv_x')
  expect(signInAddress('/connect/a b')).toBe('/sign-in?to=%2Faccount')
  expect(signInAddress('/connect/abc')).toBe('/sign-in?to=%2Fconnect%2Fabc')
})
