import { expect, test } from 'vitest'
import type { Block } from '../../parsing/parsing.ts'
import { withoutNames } from './without-names.ts'

const ROLES = new Map([
  ['ada', 'Author'],
  ['grace_h', 'Maintainer'],
])
const paragraph = (markdown: string): Block => ({ kind: 'paragraph', markdown })

test.each([
  ['@ada and @Ada: see below', '@Author and @Author: see below'],
  ['thanks @ada.', 'thanks @Author.'],
  [String.raw`@grace\_h, do it`, '@Maintainer, do it'],
  ['[@ada](https://forum.example/u/ada) said', '@Author said'],
  ['[@linus](https://forum.example/u/linus) said', '@someone said'],
  ['ada:', 'Author:'],
  ['![](https://forum.example/user_avatar/ada/48.png) ada:', 'Author:'],
  // Not mentions.
  ['npm i @ada/cli, or @adam/cli, or mail to x@ada', 'npm i @ada/cli, or @adam/cli, or mail to x@ada'],
  ['@linus wrote nothing here', '@linus wrote nothing here'],
  ['note: ada: this', 'note: ada: this'],
])('%s becomes %s', (given, expected) => {
  expect(withoutNames([paragraph(given)], ROLES)).toEqual([paragraph(expected)])
})

test('names go from lists, tables and entries, and code stays as it is', () => {
  const code: Block = { kind: 'code', language: 'sh', code: 'ping @ada' }
  expect(
    withoutNames(
      [
        { kind: 'heading', depth: 2, text: 'For @ada', anchor: 'a' },
        { kind: 'list', items: ['@ada'], isOrdered: false },
        { kind: 'table', header: ['@ada'], rows: [['@ada', 'x']] },
        { kind: 'entry', term: '@ada', anchor: undefined, blocks: [paragraph('@ada'), code] },
      ],
      ROLES,
    ),
  ).toEqual([
    { kind: 'heading', depth: 2, text: 'For @Author', anchor: 'a' },
    { kind: 'list', items: ['@Author'], isOrdered: false },
    { kind: 'table', header: ['@Author'], rows: [['@Author', 'x']] },
    { kind: 'entry', term: '@Author', anchor: undefined, blocks: [paragraph('@Author'), code] },
  ])
})
