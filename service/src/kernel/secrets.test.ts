import { expect, test } from 'vitest'
import { hashSecret, inspectSecret, isHashOf, newSecret } from './secrets.ts'

test('a new secret carries its prefix, 28 random characters and a checksum that holds', () => {
  const secret = newSecret('cw_pk_')
  expect(secret).toMatch(/^cw_pk_[0-9A-Za-z]{34}$/)
  expect(inspectSecret(secret, 'cw_pk_')).toBe('well-formed')
  expect(newSecret('cw_pk_')).not.toBe(secret)
})

test('any single wrong character is detected as a typo', () => {
  const secret = newSecret('cw_pat_')
  const typos = Array.from(secret)
    .slice('cw_pat_'.length)
    .map((character, index) => {
      const place = 'cw_pat_'.length + index
      return secret.slice(0, place) + (character === 'x' ? 'y' : 'x') + secret.slice(place + 1)
    })
  expect(typos).toHaveLength(34)
  expect(typos.map((typo) => inspectSecret(typo, 'cw_pat_'))).toEqual(typos.map(() => 'mistyped'))
})

test('a text of another shape is not a typo: operators may choose their own tokens', () => {
  expect(inspectSecret('a-token-of-my-own-choice', 'cw_pat_')).toBe('other')
  expect(inspectSecret(newSecret('cw_pk_'), 'cw_pat_')).toBe('other')
})

test('random characters are spread evenly over the alphabet', () => {
  const counts = new Map<string, number>()
  for (let made = 0; made < 2_000; made += 1) {
    for (const character of newSecret('cw_sk_').slice(6, 34))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(counts.size).toBe(62)
  const expected = (2_000 * 28) / 62
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.25)
})

test('a hash matches only the text it was made from', () => {
  const secret = newSecret('cw_sk_')
  expect(isHashOf(hashSecret(secret), secret)).toBe(true)
  expect(isHashOf(hashSecret(secret), newSecret('cw_sk_'))).toBe(false)
  expect(isHashOf('', secret)).toBe(false)
})
