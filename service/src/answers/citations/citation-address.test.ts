import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { citationAddress, textFragment } from './citation-address.ts'

describe('the address of a citation', () => {
  test.for<[string, string | undefined, string[], string]>([
    ['https://docs.test/keys', 'rotation', [], 'https://docs.test/keys#rotation'],
    ['https://docs.test/keys', undefined, [], 'https://docs.test/keys'],
    ['https://docs.test/keys', undefined, ['Keys rotate.'], 'https://docs.test/keys#:~:text=Keys%20rotate.'],
    ['https://docs.test/keys#old', 'rotation', [], 'https://docs.test/keys#rotation'],
    ['https://docs.test/#/keys', 'rotation', ['Go.'], 'https://docs.test/#/keys:~:text=Go.'],
    ['https://docs.test/app#!/keys', 'rotation', [], 'https://docs.test/app#!/keys'],
    ['https://docs.test/#tag/keys/rotate', 'rotation', [], 'https://docs.test/#tag/keys/rotate'],
    ['https://docs.test/#/keys', undefined, ['Go.'], 'https://docs.test/#/keys:~:text=Go.'],
    [
      'https://docs.test/keys',
      'größe der',
      ['Go.'],
      'https://docs.test/keys#gr%C3%B6%C3%9Fe%20der:~:text=Go.',
    ],
    ['notes/keys.md', 'rotation', ['Go.'], 'notes/keys.md'],
  ])('of %s at %s for %j', ([url, anchor, blocks, expected]) => {
    expect(citationAddress(url, anchor, blocks)).toBe(expected)
  })

  test('names only the ends of a long passage, or of one that spans several blocks', () => {
    expect(textFragment(['one two three four five six seven eight nine ten eleven'])).toBe(
      ':~:text=one%20two%20three%20four,eight%20nine%20ten%20eleven',
    )
    expect(textFragment(['--retries', 'How often, at most'])).toBe(
      ':~:text=%2D%2Dretries,How%20often%2C%20at%20most',
    )
  })

  test('is a valid address for any words, and decodes to the same words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (words) => {
        const address = citationAddress('https://docs.test/keys', undefined, [words])
        expect(URL.canParse(address)).toBe(true)
        const fragment = address.split(':~:text=')[1] ?? ''
        expect(fragment).toMatch(/^[\w.!~*'()%]*(,[\w.!~*'()%]+)?$/)
        expect(() => decodeURIComponent(fragment)).not.toThrow()
      }),
    )
  })
})
