import { expect, test } from 'vitest'
import { readTickets } from './read-tickets.ts'

const ALL = { most: 2_000, by: 'random', seed: 1 } as const
const read = (text: string, sample: Parameters<typeof readTickets>[1] = ALL) =>
  readTickets(Buffer.from(text), sample)

test('a table with quotes, line breaks and the names of its own columns becomes tickets, without quotations and signatures', async () => {
  const table = [
    '\uFEFFTicket ID,Subject,Description,Created at,Tags,First reply',
    '1042,Keys,"How do I ""rotate"" a key?',
    'It, stopped.',
    '--',
    'Ada, Example Inc.",2026-03-04 10:00:00,"billing, keys","Open Settings.',
    '> How do I',
    '"',
    ',,,,,',
    '1043,Automatic reply: Keys,I am away.,,,',
    '1044,Empty,"> only a quotation",,,',
    `1045,Long,${'x'.repeat(20_001)},,,`,
  ].join('\r\n')
  expect(await read(table)).toEqual({
    format: 'table',
    found: 4,
    tickets: [
      {
        ref: '1042',
        subject: 'Keys',
        body: 'How do I "rotate" a key?\nIt, stopped.',
        askedAt: '2026-03-04T10:00:00.000Z',
        tags: ['billing', 'keys'],
        agentReply: 'Open Settings.',
      },
    ],
    leftOut: [
      { reason: 'automatic', count: 1, refs: ['1043'] },
      { reason: 'empty', count: 1, refs: ['1044'] },
      { reason: 'too_long', count: 1, refs: ['1045'] },
    ],
    drawnFrom: undefined,
  })
  const semicolons = await read('id;body\n1;Hello; or not')
  expect(semicolons.tickets[0]).toMatchObject({ ref: '1', body: 'Hello' })
})

test('lines without a header are one question each, with their commas', async () => {
  const { format, tickets } = await read('How do I rotate, by hand, a key?\n\n  What is SSO?  ')
  expect(format).toBe('lines')
  expect(tickets.map(({ body }) => body)).toEqual(['How do I rotate, by hand, a key?', 'What is SSO?'])
})

test('JSON is read as a list and a line each', async () => {
  const one = {
    id: 7,
    subject: 'S',
    body: 'How?',
    tags: ['a', 'a', 'b'],
    created_at: '2026-01-02T03:04:05+01:00',
  }
  const wanted = [
    {
      ref: '7',
      subject: 'S',
      body: 'How?',
      askedAt: '2026-01-02T02:04:05.000Z',
      tags: ['a', 'b'],
      agentReply: null,
    },
  ]
  expect((await read(JSON.stringify([one]))).tickets).toEqual(wanted)
  expect((await read(`${JSON.stringify(one)}\n{"no": "ticket"}\nnot json`)).tickets).toEqual(wanted)
  await expect(read('{"no": "ticket"}')).rejects.toThrow('no ticket in this file')
  await expect(read('[1, {')).rejects.toThrow('neither JSON')
})

test("an export of Zendesk: the requester's first message, the first public reply of somebody else, and what nobody asked", async () => {
  const ticket = (id: number, fields: object) => ({
    id,
    requester_id: 1,
    subject: `T${id}`,
    tags: [],
    ...fields,
  })
  const comment = (author_id: number, html_body: string, isPublic = true) => ({
    author_id,
    html_body,
    public: isPublic,
  })
  const page = {
    tickets: [
      ticket(1, {
        created_at: '2026-05-01T00:00:00Z',
        tags: ['sso'],
        comments: [
          comment(1, '<p>Does it have <b>SSO</b>?</p>'),
          comment(2, '<p>secret note</p>', false),
          comment(2, '<p>Yes, on Pro.</p><blockquote>Does it</blockquote>'),
        ],
      }),
      ticket(2, { description: 'Merged', tags: ['closed_by_merge'] }),
      ticket(3, { description: 'Called the customer.', submitter_id: 2 }),
      ticket(4, { description: 'Buy!', tags: ['spam'] }),
      ticket(5, { comments: [{ author_id: 1, plain_body: '', body: '', attachments: [{}], public: true }] }),
    ],
    end_of_stream: true,
  }
  const found = await read(JSON.stringify(page))
  expect(found).toMatchObject({ format: 'zendesk', found: 5 })
  expect(found.tickets).toEqual([
    {
      ref: '1',
      subject: 'T1',
      body: 'Does it have SSO?',
      askedAt: '2026-05-01T00:00:00.000Z',
      tags: ['sso'],
      agentReply: 'Yes, on Pro.',
    },
  ])
  expect(found.leftOut.map(({ reason, refs }) => [reason, refs])).toEqual([
    ['merged', ['2']],
    ['agent_made', ['3']],
    ['spam', ['4']],
    ['attachment_only', ['5']],
  ])
  // One page a line, as the incremental export is stored.
  expect((await read(`${JSON.stringify(page)}\n${JSON.stringify(page)}`)).found).toBe(10)
})

test('a mailbox: the first mail of each conversation, and what somebody else answered', async () => {
  const mail = (...lines: string[]) => ['From x@y Mon Mar  2 10:00:00 2026', ...lines, ''].join('\n')
  const box = [
    mail(
      'From: Ada <ada@customer.example>',
      'Message-ID: <1@c>',
      'Subject: =?utf-8?q?K=C3=A4ys?=',
      'Date: Mon, 02 Mar 2026 10:00:00 +0000',
      'List-Id: <support.example>',
      '',
      'How do I rotate a key?',
    ),
    mail(
      'From: Team <help@example.com>',
      'Message-ID: <2@c>',
      'In-Reply-To: <1@c>',
      'Date: Mon, 02 Mar 2026 11:00:00 +0000',
      '',
      'Under Settings.',
      '',
      'On Mon, 2 Mar 2026, Ada wrote:',
      '> How do I',
    ),
    mail('From: a@b', 'Message-ID: <3@c>', 'Auto-Submitted: auto-replied', 'Subject: Away', '', 'I am away.'),
  ].join('\n')
  const found = await read(box)
  expect(found).toMatchObject({ format: 'mbox', found: 2, leftOut: [{ reason: 'automatic', count: 1 }] })
  expect(found.tickets).toEqual([
    {
      ref: '1@c',
      subject: 'Käys',
      body: 'How do I rotate a key?',
      askedAt: '2026-03-02T10:00:00.000Z',
      tags: [],
      agentReply: 'Under Settings.',
    },
  ])
})

test('of more tickets a sample is drawn: the same with the same seed, and by month and tag in proportion', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => {
    const month = at % 10 === 0 ? '2026-01' : '2026-02'
    return `${at},Question ${at},${month}-03T00:00:00Z,${at % 4 === 0 ? 'rare' : 'usual'}`
  })
  const table = `id,body,created_at,tags\n${rows.join('\n')}`
  const draw = async (by: 'random' | 'month_and_tag', seed: number) =>
    await read(table, { most: 100, by, seed })
  const first = await draw('random', 7)
  expect(first.drawnFrom).toBe(1_000)
  expect(first.tickets).toHaveLength(100)
  expect(new Set(first.tickets.map(({ ref }) => ref)).size).toBe(100)
  expect(await draw('random', 7)).toEqual(first)
  expect(await draw('random', 8)).not.toEqual(first)
  const strata = await draw('month_and_tag', 7)
  const number = (month: string, tag: string) =>
    strata.tickets.filter(({ askedAt, tags }) => askedAt?.startsWith(month) === true && tags[0] === tag)
      .length
  // Of 1,000: 50 and 50 in January, 200 and 700 in February.
  expect(
    ['2026-01 rare', '2026-01 usual', '2026-02 rare', '2026-02 usual'].map((each) =>
      number(each.slice(0, 7), each.slice(8)),
    ),
  ).toEqual([5, 5, 20, 70])
})

test('what is no list of tickets is not taken for one question a line', async () => {
  await expect(read('Ticket ID,Subject,Requester\n1,Keys,Ada')).rejects.toThrow('names no column')
  await expect(readTickets(Buffer.from('PK\u0003\u0004\0\0sheet'), ALL)).rejects.toThrow('This is no text')
  const { format, tickets } = await read('From which page is a key made?\nHow?')
  expect([format, tickets.length]).toEqual(['lines', 2])
})

test('what is read can be sent: no NUL, no half of a sign', async () => {
  const { tickets } = await read(
    JSON.stringify([{ id: 'a\0', subject: 'S\0', body: 'How\0?', tags: ['t\0'], agent_reply: 'So \ud83d' }]),
  )
  expect(tickets).toEqual([
    { ref: 'a', subject: 'S', body: 'How?', askedAt: null, tags: ['t'], agentReply: 'So \ufffd' },
  ])
})

test('a table of 25 MB is read in the memory that a parser has', async () => {
  const words = 'The key was not rotated last night. '.repeat(28)
  const table = `id,subject,body\n${Array.from({ length: 25_000 }, (_, at) => `${at},Keys,${words}`).join('\n')}`
  const before = process.memoryUsage().heapUsed
  const { found, tickets } = await read(table, { most: 100, by: 'random', seed: 1 })
  expect([found, tickets.length]).toEqual([25_000, 100])
  // Signs that are appended one by one keep 32 bytes each.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(400_000_000)
})

test('hostile files end: unfinished quotes, one line of megabytes, deep JSON, a hundred thousand empty rows', async () => {
  const startedAt = process.cpuUsage()
  await expect(read('')).rejects.toThrow('no ticket')
  expect((await read(`body\n"${'a"'.repeat(9_000)}`)).found).toBe(1)
  expect((await read('x'.repeat(5_000_000))).leftOut).toEqual([{ reason: 'too_long', count: 1, refs: [] }])
  await expect(read('['.repeat(200_000))).rejects.toThrow('neither JSON')
  await expect(read(`body\n${'\n'.repeat(100_000)}`)).rejects.toThrow('no ticket')
  expect((await read(`body\n${'"",\n'.repeat(50_000)}x`)).found).toBe(1)
  const { user } = process.cpuUsage(startedAt)
  expect(user).toBeLessThan(20_000_000)
})
