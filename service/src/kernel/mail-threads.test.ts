import { expect, test } from 'vitest'
import { readMailHeaders } from './mail-headers.ts'
import { threadsOf, type SourceMail } from './mail-threads.ts'
import { splitMbox } from './split-mbox.ts'

const mail = (id: string, day: number, ...fields: string[]): SourceMail => ({
  headers: readMailHeaders(Buffer.from([`Message-ID: <${id}@x>`, ...fields, '', ''].join('\n'))),
  at: new Date(Date.UTC(2026, 0, day)),
  place: id,
})
const placesOf = (mails: SourceMail[]) =>
  threadsOf(mails).map(({ mails: of }) => of.map(({ place }) => place).join(' '))

test('a conversation is what answers each other, in the order of time, whatever is missing or doubled', () => {
  const mails = [
    mail('c', 3, 'In-Reply-To: <b@x>'),
    mail('a', 1),
    mail('b', 2, 'References: <a@x>'),
    mail('b', 2, 'References: <a@x>'),
    mail('d', 4, 'References: <gone@x> <y@x>', 'In-Reply-To: <y@x>'),
    mail('e', 5, 'In-Reply-To: <gone@x>'),
    mail('f', 6, 'Subject: Re: same'),
    mail('g', 7, 'In-Reply-To: <g@x>'),
    mail('h', 8, 'In-Reply-To: <i@x>'),
    mail('i', 9, 'In-Reply-To: <h@x>'),
  ]
  expect(placesOf(mails).toSorted()).toEqual(['a b c', 'd e', 'f', 'g', 'h', 'i'])
})

test('a conversation keeps its id when mails come to it, and says that it changed', () => {
  const [before] = threadsOf([mail('b', 2, 'References: <a@x>')])
  const [after] = threadsOf([mail('a', 1), mail('b', 2, 'References: <a@x>')])
  expect(after?.externalId).toBe(before?.externalId)
  expect(after?.changed).not.toBe(before?.changed)
})

test('an mbox is split at the lines before its mails, and at no other line that begins so', async () => {
  const box = [
    'From ada at x.example  Mon Nov 23 03:00:00 2026',
    'Subject: one',
    '',
    'From here on it works.',
    '>From the manual:',
    '',
    'From eve@x.example Mon Nov 23 04:00:00 2026 +0100',
    'Subject: two',
    '',
    'x',
  ].join('\n')
  const messages = (await splitMbox(Buffer.from(box), 10)).map(String)
  expect(messages).toEqual([
    'Subject: one\n\nFrom here on it works.\nFrom the manual:\n\n',
    'Subject: two\n\nx',
  ])
  expect(await splitMbox(Buffer.from(box), 1)).toHaveLength(1)
  expect(await splitMbox(Buffer.from('<html>'), 1)).toEqual([])
})
