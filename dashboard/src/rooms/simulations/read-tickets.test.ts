import { expect, test } from 'vitest'
import { parseCsv, writeCsv } from './parse-csv.ts'
import { readTickets } from './read-tickets.ts'

test('a table with quotes, line breaks and its own column names becomes tickets', () => {
  const text =
    '\uFEFFTicket ID,Subject,Description\r\n1042,Keys,"How do I ""rotate"" a key?\nIt, stopped."\r\n,,\r\n1043,,Short\r\n'
  expect(readTickets(text)).toEqual({
    tickets: [
      { ref: '1042', subject: 'Keys', body: 'How do I "rotate" a key?\nIt, stopped.' },
      { ref: '1043', subject: null, body: 'Short' },
    ],
    leftOut: [],
  })
  expect(readTickets('id;body\n1;Hello; or not').tickets).toEqual([
    { ref: '1', subject: null, body: 'Hello' },
  ])
})

test('lines without a header are one question each, with their commas', () => {
  expect(readTickets('How do I rotate, by hand, a key?\n\n  What is SSO?  ').tickets).toEqual([
    { ref: null, subject: null, body: 'How do I rotate, by hand, a key?' },
    { ref: null, subject: null, body: 'What is SSO?' },
  ])
})

test('at most 200 tickets of 20,000 characters are taken, and the rest is said', () => {
  const many = Array.from({ length: 205 }, (_, at) => `Question ${at}`).join('\n')
  const read = readTickets(many)
  expect(read.tickets).toHaveLength(200)
  expect(read.leftOut).toEqual(['5 left out: a run has at most 200 tickets.'])
  expect(readTickets('x'.repeat(20_001))).toEqual({
    tickets: [],
    leftOut: ['1 left out: longer than 20,000 characters.'],
  })
  expect(readTickets('x'.repeat(20_000)).tickets).toHaveLength(1)
})

test('an unfinished quote and hostile lengths end', () => {
  expect(parseCsv('a,"b')).toEqual([['a', 'b']])
  expect(parseCsv('"'.repeat(100_000))).toHaveLength(1)
})

test('an exported table has no formula in it', () => {
  expect(
    writeCsv([
      ['=cmd()', 'a "b"', null, 0.5],
      ['-1', '@x', '+y', 3],
    ]),
  ).toBe('"\'=cmd()","a ""b""","",0.5\r\n"\'-1","\'@x","\'+y",3\r\n')
})
