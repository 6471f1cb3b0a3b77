import * as fc from 'fast-check'
import type { Nodes } from 'mdast'
import { expect, test } from 'vitest'
import { HOSTILE_SHAPES } from '../../../test/hostile-shapes.ts'
import { isParent, parseMarkdown } from './markdown-tree.ts'
import { markdownAddress, markdownLink, markdownName, markdownWords } from '../../kernel/markdown-name.ts'
import { oneLine } from '../../kernel/one-line.ts'

const kindsIn = (node: Nodes): string[] => [
  node.type,
  ...(isParent(node) ? node.children.flatMap(kindsIn) : []),
]

/** Kinds of nodes in a list item that contains a name. */
const kindsAround = (name: string) => new Set(kindsIn(parseMarkdown(`1. ${markdownName(name)}\n2. x`)))

const PIECES = [
  '[a](https://evil.example)',
  '![x](https://evil.example/x.png)',
  '<img src=x onerror=alert(1)>',
  '<https://evil.example/t>',
  '\n\n<script>alert(2)</script>\n\n',
  'https://evil.example',
  'www.evil.example',
  '**b**',
  '_i_',
  '`c`',
  '~~s~~',
  '# h',
  '- l',
  '1. n',
  '> q',
  '| t |',
  '&lt;b&gt;',
  '&#60;b&#62;',
  '\u2028x',
  '\u0085y',
  '\u202Ez',
  '\\',
  '[1]',
  '[^1]',
  '[x]: https://evil.example',
  'a@evil.example',
  '\u200B',
  '\uDB40\uDC41',
  '\0',
  '\uD800',
  '```',
  '---',
  '===',
  ': ',
  'word',
]

test('any name renders as its own words without markup', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }), (pieces) => {
      const name = markdownName(pieces.join(''))
      expect(name).not.toMatch(/[\n\r\u0085\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B\0]|:\/\/|www\./i)
      expect(name).not.toMatch(/<|(?<!\\)[[\]`*]/)
      for (const kind of kindsAround(pieces.join('')))
        expect(['root', 'list', 'listItem', 'paragraph', 'text']).toContain(kind)
    }),
    { numRuns: 3_000 },
  )
})

test('an ordinary name is not changed', () => {
  for (const name of [
    'Rotating keys & tokens (v2)',
    'foo_bar.baz()',
    'C++ – was ist das?',
    'می‌خواهم',
    '👩‍💻 at work',
    'react@18.2',
    '日本語',
    '5.2. Branches',
    '2.0',
  ])
    expect(markdownName(name)).toBe(name)
})

test('a number begins no list: at the beginning of a line it is escaped, in its middle it need not be', () => {
  expect(markdownName('5. Install')).toBe(String.raw`5\. Install`)
  expect(markdownWords('5. Install')).toBe('5. Install')
})

test('hostile names are shortened and put on one line', () => {
  for (const make of Object.values(HOSTILE_SHAPES)) {
    const line = oneLine(make(100_000), 200)
    expect(line.length).toBeLessThanOrEqual(200)
    expect(line).not.toMatch(/[\n\r\u2028\u2029]/)
    expect(line.isWellFormed()).toBe(true)
  }
})

test('only http and https addresses become links, and no character in one ends the link', () => {
  expect(markdownLink('a', 'javascript:alert(1)')).toBe('a')
  expect(markdownLink('a', 'p.html')).toBe('a')
  expect(markdownAddress('https://u:p@e.example/a)b?x=1 "on=<b>`*|#[z]')).toBe(
    'https://e.example/a%29b?x=1%20%22on=%3Cb%3E%60%2A%7C#%5Bz%5D',
  )
  expect(markdownAddress('http://[::1]:80/x')).toBe('http://[::1]/x')
  expect(markdownAddress('https://e.example/\n\nx')).toBe('https://e.example/x')
})
