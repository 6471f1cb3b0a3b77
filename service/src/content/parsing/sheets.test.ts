import { describe, expect, test } from 'vitest'
import { zipOf } from '../../../test/hostile-files.ts'
import { spreadsheet, textCell as text } from '../../../test/spreadsheet.ts'
import { parseCsvFile } from './csv.ts'
import { renderBlocks } from './render-markdown.ts'
import { parseXlsx } from './xlsx.ts'

const csv = (text: string, charset?: string) =>
  parseCsvFile({
    mediaType: 'text/csv',
    bytes: charset === 'latin1' ? Buffer.from(text, 'latin1') : new TextEncoder().encode(text),
    url: 'file:///Price%20list.csv',
    charset,
  }).document
const markdownOf = (text: string) => renderBlocks(csv(text).blocks)

describe('a file of comma separated values', () => {
  test('is a table named like the file, whose first row is the head', () => {
    expect(csv('Plan,Limit\n').title).toBe('Price list')
    expect(markdownOf('\uFEFFPlan,Limit\r\n"Free, small","10\n20"\r\n,,\r\nPro,"say ""all"""')).toBe(
      '| Plan | Limit |\n| --- | --- |\n| Free, small | 10 20 |\n| Pro | say "all" |',
    )
  })

  test('is divided by what divides most of its rows alike', () => {
    const table = '| Land | Preis |\n| --- | --- |\n| Österreich | 1,20 |'
    expect(markdownOf('Land;Preis\nÖsterreich;1,20')).toBe(table)
    expect(markdownOf('Land\tPreis\nÖsterreich\t1,20')).toBe(table)
    expect(renderBlocks(csv('Land;Preis\nÖsterreich;1,20', 'latin1').blocks)).toBe(table)
  })

  test('may say above its table what it is about', () => {
    expect(markdownOf('Prices; of May; in EUR\nPlan,Price\nFree,0\nTeam,"12,50"')).toBe(
      'Prices; of May; in EUR\n\n| Plan | Price |\n| --- | --- |\n| Free | 0 |\n| Team | 12,50 |',
    )
    expect(markdownOf('Wert;Summe\n1,2;3,4\n')).toBe('| Wert | Summe |\n| --- | --- |\n| 1,2 | 3,4 |')
    expect(markdownOf('Prices of 2026,\n\nPlan,Price\nFree,0')).toBe(
      'Prices of 2026\n\n| Plan | Price |\n| --- | --- |\n| Free | 0 |',
    )
  })

  test('has no markup of its own', () => {
    expect(markdownOf('Name,Text\n<img src=x onerror=alert(1)>,[a](javascript:x) *b* | `c`')).toBe(
      '| Name | Text |\n| --- | --- |\n| \\<img src=x onerror=alert(1)> | [a\\](javascript:x) \\*b\\* \\| \\`c\\` |',
    )
  })

  test('says in itself that it is cut', () => {
    expect(csv(`a,b\n${'1,2\n'.repeat(2_005)}`).blocks).toMatchObject([
      { kind: 'table', rows: { length: 1_999 } },
      { kind: 'paragraph', markdown: 'Only the first 2000 rows are here.' },
    ])
    expect(csv(`a${',b'.repeat(120)}\n1`).blocks).toMatchObject([
      { header: { length: 100 }, rows: [{ length: 100 }] },
    ])
  })

  test('of nothing is nothing', () => {
    expect(csv('\n ,\n').blocks).toEqual([])
  })
})

const row = (cells: number, cell = 'a') => Array.from({ length: cells }, () => cell).join(',')

test.each([
  ['100 columns and 2,000 rows', Array.from({ length: 2_000 }, () => row(100)).join('\n'), []],
  ['empty columns beyond them', `${row(100)}${','.repeat(50)}`, []],
  ['101 columns', row(101), ['Of a sheet the first 100 columns are read.']],
  [
    '2,001 rows',
    Array.from({ length: 2_001 }, () => 'a').join('\n'),
    ['Of a sheet the first 2,000 rows are read.'],
  ],
  ['a long cell', 'x'.repeat(4_001), ['Of one cell of a sheet the first 4,000 characters are read.']],
])('a sheet of %s tells what limits leave out', (_, text, told) => {
  expect(csv(text).leftOut ?? []).toEqual(told)
})

const xlsx = async (bytes: Uint8Array) =>
  (await parseXlsx({ mediaType: '', bytes, url: 'file:///Prices.xlsx' })).document

describe('a spreadsheet', () => {
  test('is a table of each sheet, with texts, figures, dates and the results of formulas', async () => {
    const plans = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="3">${text('A3', 'Pro &lt;b&gt;')}<c r="B3"><f>10*2</f><v>20</v></c><c r="C3" s="1"><v>45658</v></c></row>`
    const document = await xlsx(
      spreadsheet(
        {
          Plans: plans,
          Empty: '',
          'Open &amp; closed': `<row r="1">${text('A1', 'Day')}${text('B1', 'Open')}</row><row r="2">${text('A2', 'Monday')}<c r="B2" t="b"><v>1</v></c></row>`,
        },
        ['Plan', 'Price', 'Since'],
      ),
    )
    expect(document.title).toBe('Prices')
    expect(renderBlocks(document.blocks)).toBe(
      '## Plans\n\n| Plan | Price | Since |\n| --- | --- | --- |\n| Pro \\<b> | 20 | 2025-01-01 |\n\n## Open & closed\n\n| Day | Open |\n| --- | --- |\n| Monday | true |',
    )
  })

  test('shows times of a day, and figures with the digits that a spreadsheet shows', async () => {
    const rows = `<row r="1">${text('A1', 'Opens')}${text('B1', 'Share')}</row><row r="2"><c r="A2" s="1"><v>0.375</v></c><c r="B2"><v>0.30000000000000004</v></c></row><row r="3"><c r="A3" s="1"><v>45658.5</v></c><c r="B3"><v>1E+20</v></c></row>`
    const document = await xlsx(spreadsheet({ Hours: rows }))
    expect(renderBlocks(document.blocks)).toBe(
      '| Opens | Share |\n| --- | --- |\n| 09:00 | 0.3 |\n| 2025-01-01 12:00 | 100000000000000000000 |',
    )
  })

  test('of one sheet has no heading of it', async () => {
    const document = await xlsx(
      spreadsheet({ Sheet1: `<row r="1">${text('A1', 'a')}${text('B1', 'b')}</row>` }),
    )
    expect(renderBlocks(document.blocks)).toBe('| a | b |\n| --- | --- |')
  })

  test.each([
    ['no archive', Buffer.from('Plan,Price')],
    ['another archive', zipOf([{ name: 'word/document.xml', content: Buffer.from('<w/>') }])],
    ['no XML', spreadsheet({ Plans: '<row r="1"><c r="A1"><v>1' })],
  ])('that is %s is refused in words', async (_, bytes) => {
    await expect(xlsx(bytes)).rejects.toThrow(/^The file is (?:not a|broken|no)/)
  })
})
