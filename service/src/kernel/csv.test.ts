import { csvField, csvLine } from '@citewell/contract/csv'
import { expect, test } from 'vitest'
import { parseCsv } from './csv.ts'

test('a text that a spreadsheet would run as a formula is exported as text', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1+1'])
    expect(csvField(formula)).toMatch(/^"?'/)
  expect(csvField('=HYPERLINK("https://evil.example","x")')).toBe(
    '"\'=HYPERLINK(""https://evil.example"",""x"")"',
  )
  expect(csvLine(['a, "b"', 'two\nlines', -1, true, null, undefined, ''])).toBe(
    '"a, ""b""","two\nlines",-1,true,,,\r\n',
  )
})

test('a text is no formula either in a spreadsheet that separates by semicolons, and its lists stay as they are', () => {
  expect(csvField('a;=1+1')).toBe(`"a;'=1+1"`)
  expect(csvField('a\n=1\r\n@b\t+1\n-1')).toBe(`"a\n'=1\r\n'@b\t'+1\n'-1"`)
  expect(csvField('Do:\n- this; then\n- that\n---')).toBe('"Do:\n- this; then\n- that\n---"')
})

test('what is written is read again, by the line on which each row begins', () => {
  const fields = ['a, "b"', 'two\r\nlines', ' with spaces ', '']
  const [row] = parseCsv(csvLine(fields))
  expect(row).toEqual({ line: 1, fields })
  expect(parseCsv('a,b\n\n"x\ny",2\nlast')).toEqual([
    { line: 1, fields: ['a', 'b'] },
    { line: 3, fields: ['x\ny', '2'] },
    { line: 5, fields: ['last'] },
  ])
  expect(parseCsv('"never closed, \n and on')).toEqual([{ line: 1, fields: ['never closed, \n and on'] }])
  expect(parseCsv('')).toEqual([])
})
