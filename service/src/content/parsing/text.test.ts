import { expect, test } from 'vitest'
import { renderBlocks } from './render-markdown.ts'
import { parseText } from './text.ts'

const markdownOf = (text: string) =>
  renderBlocks(
    parseText({ mediaType: 'text/plain', bytes: new TextEncoder().encode(text), url: 'file:///a.txt' })
      .document.blocks,
  )
test.each([',', ';', '\t', '|'])('rows divided by "%s" under their names are a table', (sign) => {
  const rows = ['Product,Price,Unit', 'Basic plan,5 EUR,month', '"Pro",12 EUR,month'].map((row) =>
    row.replaceAll(',', sign),
  )
  expect(markdownOf(rows.join('\n'))).toBe(
    '| Product | Price | Unit |\n| --- | --- | --- |\n| Basic plan | 5 EUR | month |\n| Pro | 12 EUR | month |',
  )
})

test('columns are a table, too', () => {
  expect(markdownOf('Product      Price\n-------      -----\nBasic plan   5 EUR\nPro          12 EUR')).toBe(
    '| Product | Price |\n| --- | --- |\n| Basic plan | 5 EUR |\n| Pro | 12 EUR |',
  )
})

test('lines of their own stay lines', () => {
  const prices = 'Basic plan 5 EUR\nPro plan 12 EUR\nLarge plan 90 EUR'
  expect(markdownOf(prices)).toBe(prices.replaceAll('\n', '  \n'))
  const minutes = 'Decision: we take the large one\nReason: it is cheap\nWho: Ann, and Bob'
  expect(markdownOf(`Minutes of the board\n\n${minutes}`)).toBe(minutes.replaceAll('\n', '  \n'))
  const said = 'The key is here.\nThe lock is there.\nNobody may know'
  expect(markdownOf(said)).toBe(said.replaceAll('\n', '  \n'))
})

test('lists are lists, with their numbers', () => {
  expect(markdownOf('- One\n- Two\n  goes on\n- Three')).toBe('- One\n- Two goes on\n- Three')
  expect(markdownOf('3. Three\n4) Four\n5. Five')).toBe('3. Three\n4. Four\n5. Five')
  expect(markdownOf('1990. A year begins\nand another ends')).not.toContain('\n2')
})

test('running text in full lines is a paragraph, wherever its sentences and commas are', () => {
  const text = `A backup copies all of the files of the service, with its keys, to
another disk. It takes a minute for each gigabyte, and holds nobody up,
as it reads while others write; it never writes itself. Keep three of
them, on disks in several houses, and try each of them twice a year.`
  expect(markdownOf(text)).toBe(text)
  const letter = 'Dear Ann, it is late\nI have 5 of them, and\nyou have 7 of them, too'
  expect(markdownOf(letter)).not.toContain('|')
})
