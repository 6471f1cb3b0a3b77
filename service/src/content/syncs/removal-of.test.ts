import { expect, test } from 'vitest'
import { removalOf } from './removal-of.ts'

test.each([
  // A few of many: looked at, and gone.
  [
    { missing: 200, indexed: 5_000 },
    { needsConsent: false, isLookedAt: true },
  ],
  // A small share, but more than are looked at.
  [
    { missing: 201, indexed: 5_000 },
    { needsConsent: true, isLookedAt: false },
  ],
  [
    { missing: 30, indexed: 40 },
    { needsConsent: true, isLookedAt: true },
  ],
  [
    { missing: 19, indexed: 19 },
    { needsConsent: false, isLookedAt: true },
  ],
])('%j', (given, removal) => {
  expect(removalOf({ ...given, isListed: true, canLook: true })).toEqual(removal)
})

test('what a crawl no longer reaches goes without either', () => {
  const crawl = { missing: 900, indexed: 1_000, isListed: false, canLook: false }
  expect(removalOf(crawl)).toEqual({ needsConsent: false, isLookedAt: false })
})
