import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createQuotePrinter } from './quotes-on-terminal.ts'

const style = {
  bold: (text: string) => `<b>${text}</b>`,
  dim: (text: string) => text,
  accent: (text: string) => `<a>${text}</a>`,
  fault: (text: string) => text,
}

const ANSWER = [
  'The documentation says, word for word:',
  '',
  '> Set `PORT` (**not** `HOST`), which is what the service listens on, and start it again. [1]',
  '>',
  '> - The first of two items, which is longer than a line of this terminal.',
  '> - The second.',
  '>',
  '> ```sh',
  '> PORT=3000 npm start',
  '> ```',
  '>',
  '> | a | b |',
  '',
  'From Two:',
  '',
  '> The end. [2]',
].join('\n')

const SHOWN = [
  'The documentation says, word for word:',
  '',
  '│ Set <a>PORT</a> (<b>not</b> <a>HOST</a>), which is what the',
  '│ service listens on, and start it',
  '│ again. <a>[1]</a>',
  '│',
  '│ - The first of two items, which is',
  '│   longer than a line of this terminal.',
  '│ - The second.',
  '│',
  '    <a>PORT=3000 npm start</a>',
  '│',
  '│ | a | b |',
  '',
  'From Two:',
  '',
  '│ The end. <a>[2]</a>',
].join('\n')

test('quotes stand behind a bar, broken between words, without signs of Markdown, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(ANSWER.length), { maxLength: 20 }), (cuts) => {
      const printer = createQuotePrinter({ columns: 40, style })
      let shown = ''
      let from = 0
      for (const to of [...cuts.toSorted((left, right) => left - right), ANSWER.length]) {
        shown += printer.take(ANSWER.slice(from, to))
        from = to
      }
      expect(shown + printer.end()).toBe(SHOWN)
    }),
  )
})

test('what a model writes is shown as it arrives', () => {
  const printer = createQuotePrinter({ columns: 40, style })
  expect([printer.take('Set '), printer.take('it > 3.'), printer.take('\n')]).toEqual([
    'Set ',
    'it > 3.',
    '\n',
  ])
})
