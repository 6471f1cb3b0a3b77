import { expect, test } from 'vitest'
import { readMailHeaders } from './mail-headers.ts'

const read = (...lines: string[]) => readMailHeaders(Buffer.from(`${lines.join('\r\n')}\r\n\r\nFrom: b@body`))

test('ids and the sender are read from folded fields; what is no id is not taken for one', () => {
  expect(
    read(
      'From: "Eve <eve@evil.example>" <Ada@Customer.Example>',
      'Message-ID: <1@mail.example>',
      'References: <a@x> <b\\"@x>',
      '\t<c@x>',
      'In-Reply-To: <c@x>',
    ),
  ).toMatchObject({
    from: 'ada@customer.example',
    messageId: '1@mail.example',
    references: ['a@x', 'c@x'],
    inReplyTo: 'c@x',
  })
  expect(read('Message-ID: <a\nb@x>')).toMatchObject({ messageId: undefined, from: undefined })
})

test('a sender that is not one person is none', () => {
  expect(read('From: ada@x.example').from).toBe('ada@x.example')
  expect(read('From: <ada@x.example>, <eve@x.example>').from).toBeUndefined()
  expect(read('From: ada@x.example', 'From: eve@x.example').from).toBeUndefined()
  expect(read('Subject: From: eve@x.example').from).toBeUndefined()
})

test('the first reference is kept, however many there are', () => {
  const many = Array.from({ length: 200 }, (_, at) => `<${at}@x>`).join(' ')
  const { references } = read(`References: ${many}`)
  expect([references.length, references[0], references.at(-1)]).toEqual([50, '0@x', '199@x'])
})
