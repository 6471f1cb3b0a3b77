import { expect, test } from 'vitest'
import { writeCsv } from './write-csv.ts'

test('an exported table has no formula in it', () => {
  expect(
    writeCsv([
      ['=cmd()', 'a "b"', null, 0.5],
      ['-1', '@x', '+y', 3],
    ]),
  ).toBe('"\'=cmd()","a ""b""","",0.5\r\n"\'-1","\'@x","\'+y",3\r\n')
})
