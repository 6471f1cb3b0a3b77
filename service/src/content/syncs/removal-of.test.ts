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
  expect(removalOf({ ...given, canLook: true })).toEqual(removal)
})

test.each([
  // A fifth of a site, and more than that.
  [{ missing: 20, indexed: 100 }, false],
  [{ missing: 21, indexed: 100 }, true],
  [{ missing: 19, indexed: 94 }, false],
  // Most of a small site, and nearly all of it; a few pages of a tiny one.
  [{ missing: 8, indexed: 10 }, false],
  [{ missing: 9, indexed: 10 }, true],
  [{ missing: 5, indexed: 6 }, true],
  [{ missing: 4, indexed: 4 }, false],
])('what a crawl no longer reaches cannot be looked at: %j', (given, needsConsent) => {
  expect(removalOf({ ...given, canLook: false })).toEqual({ needsConsent, isLookedAt: false })
})
