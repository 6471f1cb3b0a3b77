import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeSpan, escapeLineStart, escapeText } from './inline-markdown.ts'
import { plainText } from './plain-text.ts'
import { renderCode, renderRow } from './render-markdown.ts'

test('any text is unchanged after being written as Markdown and read back', () => {
  const text = fc
    .string({ unit: fc.constantFrom(...Array.from('ab1 *_`[]()<>#-+.\\|~!:&é')) })
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
  fc.assert(
    fc.property(text, (each) => {
      fc.pre(!/^[\s|:-]+$/.test(each) && !each.startsWith('|') && !each.startsWith('```'))
      expect(plainText(escapeLineStart(escapeText(each)))).toBe(each)
    }),
    { numRuns: 2_000 },
  )
})

test('any line of code is unchanged after being written as a code span and read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('a`*\\[]() ')) }), (code) => {
      fc.pre(code.trim() !== '')
      expect(plainText(codeSpan(code.trim()))).toBe(code.trim().replaceAll(/\s+/g, ' '))
    }),
  )
})

test('links, emphasis and images are reduced to their words; fenced code is unchanged', () => {
  expect(
    plainText('See [`a_b`](https://x.example/a) and **bold *both***, ![a map](https://x.example/m.png).'),
  ).toBe('See a_b and bold both, a map.')
  expect(plainText(renderCode('a * b\n```\n[x](y)', 'md'))).toBe('a * b\n```\n[x](y)')
  expect(plainText(['| a | b |', '| --- | --- |', renderRow(['`x|y`', '1<br>2'])].join('\n'))).toBe(
    'a | b\nx|y | 1 2',
  )
})
