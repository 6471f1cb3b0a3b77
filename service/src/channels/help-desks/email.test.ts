import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import {
  HAS_DOVECOT,
  NO_DOVECOT,
  startMailServers,
  type MailServers,
} from '../../../test/platforms/mail-servers.ts'
import { WORDLESS_MAILS } from '../../../test/platforms/wordless-mails.ts'
import { startTestService } from '../../../test/start-service.ts'
import { answersFromPage, OFF_TOPIC, processOf, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

if (!HAS_DOVECOT) console.warn(NO_DOVECOT)

const ADA = 'ada@customer.example'

describe.skipIf(!HAS_DOVECOT)('a mailbox of the real Dovecot', () => {
  let world: DeskWorld
  let servers: MailServers
  let made = 0

  beforeAll(async () => {
    ;[world, servers] = await Promise.all([openDeskWorld(), startMailServers({ mostConnections: 7 })])
  }, 180_000)
  beforeEach(() => {
    world.llm.script(answersFromPage())
    servers.sent.length = 0
    servers.onSending(undefined)
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await servers[Symbol.asyncDispose]()
  })

  /** A mailbox of its own; the first reading takes what is there as known. */
  async function connect(config: Record<string, unknown> = {}) {
    made += 1
    const address = `help${made}@acme.example`
    const id = await world.connect({
      platform: 'email',
      config: {
        address,
        from_name: 'Acme "Support"',
        imap_host: servers.host,
        imap_port: servers.imapPort,
        smtp_host: servers.host,
        smtp_port: servers.smtpPort,
        smtp_security: 'starttls',
        hand_over_to: 'People',
        ...config,
      },
      credentials: { password: servers.password },
    })
    await world.look(id)
    return { id, address }
  }
  const off = (id: string) =>
    world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, { enabled: false })
  /** A customer writes; returns the id of the mail. */
  async function mail(
    to: string,
    text: string,
    given: {
      from?: string
      subject?: string
      headers?: string[]
      id?: string
      folder?: string
      mailbox?: string
    } = {},
  ): Promise<string> {
    made += 1
    const { from = ADA, subject = 'Keys', headers = [], id = `${made}.customer@mail.example`, folder } = given
    const lines = [
      `From: "Ada <nobody@evil.example>" <${from}>`,
      `To: ${to}`,
      `Subject: ${subject}`,
      `Message-ID: <${id}>`,
      ...(headers.some((header) => header.startsWith('Content-Type'))
        ? []
        : ['Content-Type: text/plain; charset=utf-8']),
      ...headers,
    ]
    await servers.deliver(
      given.mailbox ?? to,
      `${lines.join('\n')}\n\n${text}\n`,
      folder === undefined ? {} : { folder },
    )
    return id
  }
  const answering = (id: string) => [`In-Reply-To: <${id}>`, `References: <${id}>`]
  const headerOf = (raw: string, name: string) =>
    new RegExp(`^${name}:(.*(?:\r?\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replaceAll(/\s+/g, ' ').trim() ?? ''

  verifies(
    'helpdesk-integrations.email',
    'many mails at once open no more connections to their mailbox than servers take',
    async () => {
      const { id, address } = await connect()
      const tickets: string[] = []
      for (let at = 0; at < 8; at += 1)
        tickets.push(await mail(address, QUESTION, { from: `ada${at}@customer.example` }))
      await world.look(id)
      for (const ticket of tickets) await world.becomes(id, ticket, 'answered')
      expect([servers.turnedAway(), await world.problemOf(id)]).toEqual([0, null])
      await off(id)
    },
    { tags: ['long'] },
  )

  verifies(
    ['connectors.ticket-deflected', 'connectors.escalation-on-tickets', 'helpdesk-integrations.email'],
    'a mail is answered once, in its conversation, and as a program’s; when the customer writes again, it is moved to people with the reason',
    async () => {
      const { id, address } = await connect()
      const ticket = await mail(address, QUESTION)
      await world.look(id)
      expect(await world.becomes(id, ticket, 'answered')).toMatchObject({ answers_given: 1 })
      expect(servers.sent).toHaveLength(1)
      const [{ raw, from, to } = { raw: '', from: '', to: [] }] = servers.sent
      expect({ from, to }).toEqual({ from: address, to: [ADA] })
      expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-replied')
      expect(headerOf(raw, 'In-Reply-To')).toBe(`<${ticket}>`)
      expect(headerOf(raw, 'References')).toBe(`<${ticket}>`)
      expect(headerOf(raw, 'Subject')).toBe('Re: Keys')
      expect(raw).toContain(ROTATION)
      expect(raw).toContain('https://docs.example.com/keys')
      const [kept] = await servers.messagesIn(address, 'Sent')
      expect(headerOf(kept?.raw ?? '', 'Message-ID')).toBe(headerOf(raw, 'Message-ID'))
      expect(await servers.messagesIn(address, 'INBOX')).toMatchObject([{ flags: [String.raw`\Answered`] }])

      // A program that names the message before, and nothing else of the conversation.
      const ours = headerOf(raw, 'Message-ID').slice(1, -1)
      await mail(address, 'That does not help.', { headers: [`In-Reply-To: <${ours}>`] })
      await world.look(id)
      expect(await world.becomes(id, ticket, 'escalated')).toMatchObject({ reason: 'customer_replied' })
      expect(await servers.messagesIn(address, 'INBOX')).toEqual([])
      const people = (await servers.messagesIn(address, 'People')).map((one) => one.raw)
      expect(people).toHaveLength(3)
      expect(people.join('\n')).toContain('The customer wrote again after the automatic answer.')
      expect(servers.sent).toHaveLength(1)
      expect(await world.eventsOf(id)).toEqual([
        { event: 'ticket.deflected', ticket },
        { event: 'ticket.escalated', ticket, reason: 'customer_replied' },
      ])
      expect(await world.problemOf(id)).toBeNull()
      await off(id)
    },
    60_000,
  )

  verifies(
    ['helpdesk-integrations.own-words', 'helpdesk-integrations.person-ends', 'helpdesk-integrations.email'],
    'fast mails of one conversation get one answer to their own words; what people answered, before or at the same moment, gets none',
    async () => {
      const { id, address } = await connect({ quiet_seconds: 1, team: '@acme.example' })
      const twice = await mail(address, 'Hello,')
      const second = await mail(
        address,
        `${QUESTION}\n\nOn Mon, 23 Nov 2026 at 10:00, Eve of Acme <eve@acme.example>\nwrote:\n> ${OFF_TOPIC}\n${OFF_TOPIC}`,
        { headers: ['In-Reply-To: <lost@mail.example>', `References: <${twice}> <lost@mail.example>`] },
      )
      // A program that names the message before it alone, which names the first one.
      await mail(address, 'It is for production.', { headers: [`In-Reply-To: <${second}>`] })
      const empty = await mail(address, '-- \nAda\nAcme Inc.')
      const uncovered = await mail(address, OFF_TOPIC)
      const withPerson = await mail(address, QUESTION)
      await mail(address, 'I am on it.', { from: address, headers: answering(withPerson), folder: 'Sent' })
      const copied = await mail(address, QUESTION)
      await mail(address, 'I am on it.', { from: 'eve@acme.example', headers: answering(copied) })
      const elsewhere = await mail(address, QUESTION)
      await servers.as(address, async (client) => {
        await client.mailboxOpen('INBOX')
        await client.messageFlagsAdd({ header: { 'message-id': elsewhere } }, [String.raw`\Answered`])
      })
      const raced = await mail(address, `${QUESTION} It is for Dora.`)
      world.llm.script(async (exchange) => {
        if (JSON.stringify(exchange.request.body.messages).includes('Dora'))
          await mail(address, 'Let me look.', { from: address, headers: answering(raced), folder: 'Sent' })
        await answersFromPage()(exchange)
      })
      await world.look(id)
      await world.becomes(id, twice, 'answered')
      await world.becomes(id, empty, 'unanswered')
      await world.becomes(id, uncovered, 'unanswered')
      for (const one of [withPerson, copied, elsewhere, raced]) await world.becomes(id, one, 'with_people')
      for (const no of [second, 'lost@mail.example']) expect(await world.ticket(id, no)).toBeUndefined()
      expect(servers.sent.map(({ raw }) => headerOf(raw, 'References'))).toEqual([
        expect.stringContaining(`<${twice}>`),
      ])
      const queries = `select m.query from messages m join threads t on t.id = m.thread_id where t.user_ref = '${id}:${twice}'`
      const asked = JSON.stringify(await world.citewell.rows(queries))
      expect(asked).toContain(QUESTION)
      expect(asked).not.toContain('chocolate')
      const marked = await servers.messagesIn(address, 'INBOX')
      expect(marked.find(({ raw }) => raw.includes(`<${uncovered}>`))?.flags).toEqual(['citewell-unanswered'])
      expect(await world.eventsOf(id)).toEqual([{ event: 'ticket.deflected', ticket: twice }])
      await off(id)
    },
    60_000,
  )

  verifies(
    ['helpdesk-integrations.no-loops', 'helpdesk-integrations.email'],
    'programs get no answer; one that hides what it is gets no more than ten in a day',
    async () => {
      const { id, address } = await connect()
      const automatic = [
        'Auto-Submitted: auto-replied',
        'Precedence: bulk',
        'List-Id: <all.example>',
        'Return-Path: <>',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
        'Authentication-Results: mx.acme.example; dmarc=fail (p=none)\n header.from=customer.example',
      ]
      for (const header of automatic) await mail(address, QUESTION, { headers: [header] })
      await mail(address, QUESTION, { from: address })
      await mail(address, QUESTION, { headers: ['From: other@customer.example'] })
      await world.look(id)
      await world.settled(id)
      expect(servers.sent).toEqual([])

      // An absence that says nothing of it: each answer of ours gets a new mail, outside of its conversation.
      const bot = 'bot@loop.example'
      for (let answer = 0; answer < 8; answer += 1) {
        const given = { from: address, id: `citewell.answer.${answer}@acme.example`, folder: 'Sent' }
        await mail(bot, 'Signing keys are rotated once a day.', { ...given, mailbox: address })
      }
      servers.onSending(async () => {
        await mail(address, QUESTION, { from: bot, subject: 'Away' })
      })
      await mail(address, QUESTION, { from: bot })
      for (let round = 0; round < 3; round += 1) {
        await world.look(id)
        await world.settled(id)
      }
      expect(servers.sent.map(({ to }) => to)).toEqual([[bot], [bot]])
      expect(new Set(servers.sent.map(({ raw }) => headerOf(raw, 'Message-ID'))).size).toBe(2)
      await off(id)
    },
    60_000,
  )

  verifies(
    'helpdesk-integrations.email',
    'hostile mail reaches nobody else: not by its subject, its ids, its reply address, its size or its parts; the mail beside it is answered',
    async () => {
      const { id, address } = await connect()
      const injected = await mail(address, QUESTION, {
        subject: '=?utf-8?q?Keys=0D=0ABcc=3A_eve=40evil.example?=',
        headers: ['Reply-To: <eve@evil.example>', 'Sender: <eve@evil.example>'],
      })
      // Parts of other ids, which servers find with them.
      const part = await mail(address, QUESTION, { id: 'customer@mail.example', from: 'eve@evil.example' })
      // Nearly every id has so short a part.
      const short = await mail(address, QUESTION, { id: 'ma', from: 'eve@evil.example' })
      const joins = await mail(address, 'I am the customer.', {
        from: 'eve@evil.example',
        headers: answering(injected),
      })
      const huge = await mail(address, `-- \n${'Ada of Acme. '.repeat(320_000)}`)
      const parts = Array.from(
        { length: 300 },
        (_none, at) => `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n`,
      )
      const nested = await mail(address, parts.join('\n'), {
        headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b0'],
      })
      await world.look(id)
      await world.becomes(id, part, 'answered')
      for (const one of [huge, nested]) await world.becomes(id, one, 'unanswered')
      // Somebody else wrote in the conversation: it is for people.
      await world.becomes(id, injected, 'with_people')
      expect(await world.ticket(id, joins)).toBeUndefined()
      expect(await world.ticket(id, short)).toMatchObject({ status: 'open', answers_given: 0 })
      const alone = await mail(address, QUESTION, {
        subject: '=?utf-8?q?Keys=0D=0ABcc=3A_eve=40evil.example?=',
        headers: ['Reply-To: <eve@evil.example>', 'Sender: <eve@evil.example>'],
      })
      await world.look(id)
      await world.becomes(id, alone, 'answered')
      expect(servers.sent.map(({ to }) => to)).toEqual([['eve@evil.example'], [ADA]])
      const [, { raw } = { raw: '' }] = servers.sent
      expect(headerOf(raw, 'Subject')).toBe('Re: Keys Bcc: eve@evil.example')
      expect(headerOf(raw, 'Bcc')).toBe('')
      await off(id)
    },
    60_000,
  )

  verifies(
    ['helpdesk-integrations.posted', 'helpdesk-integrations.email'],
    'two processes answer once; one that dies before, while or after it sends leaves at most one answer; a server that is busy gets it later',
    async () => {
      const { id, address } = await connect()
      const { storage } = world.citewell
      const start = () =>
        startTestService(processOf(world.llm), {
          storage: { ...storage, close: () => Promise.resolve() },
        })
      const busy = await mail(address, QUESTION)
      servers.misbehave('busy')
      await world.look(id)
      await world.becomes(id, busy, 'answered')
      expect(servers.sent).toHaveLength(1)

      const refused = await mail(address, QUESTION)
      servers.misbehave('refuses')
      await world.look(id)
      await world.settled(id)
      expect(await world.ticket(id, refused)).toMatchObject({ status: 'open' })
      expect(await world.problemOf(id)).toContain('status 554')
      expect(servers.sent).toHaveLength(1)

      // The server has the mail, and the line breaks before it says so: it is looked for, and not sent again.
      const unsure = await mail(address, QUESTION)
      servers.misbehave('hangs up')
      await world.look(id)
      await world.becomes(id, unsure, 'unanswered')
      expect(await world.problemOf(id)).toContain('did not confirm')
      expect(servers.sent).toHaveLength(2)
      servers.sent.pop()

      // As `kill -9` leaves it while the mail was sent: nobody knows whether it arrived.
      const lost = await mail(address, QUESTION)
      servers.misbehave('busy')
      world.llm.script(answersFromPage())
      await world.look(id)
      await expect
        .poll(
          async () =>
            (await storage.execute('select 1 from platform_posts where not_before > now()')).rows.length,
        )
        .toBe(1)
      await storage.execute(
        "update platform_posts set status = 'sending', attempted_at = now() - interval '1 hour' where status = 'pending'",
      )
      await using other = await start()
      await world.becomes(id, lost, 'unanswered')
      expect(servers.sent).toHaveLength(1)
      expect(await world.problemOf(id)).toContain('it may have arrived')

      const raced = await mail(address, QUESTION)
      await Promise.all([
        world.look(id),
        other.json('POST', `/api/v1/helpdesk-integrations/${id}/check`),
        world.look(id),
      ])
      await world.becomes(id, raced, 'answered')
      expect(servers.sent).toHaveLength(2)

      // And if it had arrived, and was kept: the answer is found, and counts.
      const found = await mail(address, QUESTION)
      await world.look(id)
      await world.becomes(id, found, 'answered')
      // In milliseconds, as the service writes it: a finer time counts as changed meanwhile.
      await storage.execute(
        `update helpdesk_tickets set status = 'unsure', answers_given = 0, due_at = date_trunc('milliseconds', now()) where ticket_id = '${found}'`,
      )
      await world.look(id)
      await world.becomes(id, found, 'answered')
      expect(servers.sent).toHaveLength(3)
      await off(id)
    },
    { timeout: 90_000, tags: ['long'] },
  )

  verifies(
    ['helpdesk-integrations.email', 'helpdesk-integrations.own-words'],
    'a mail of 4 MB that asks nothing is left to people with a mark: a signature that never ends, a picture behind one, a file alone',
    async () => {
      const { id, address } = await connect()
      const asked = world.llm.requests.length
      const wordless = await Promise.all(WORDLESS_MAILS.map((given) => mail(address, given.text, given)))
      await world.look(id)
      for (const ticket of wordless) await world.becomes(id, ticket, 'unanswered')
      expect([servers.sent, world.llm.requests.length]).toEqual([[], asked])
      const inbox = await servers.messagesIn(address, 'INBOX')
      expect(inbox.map(({ flags }) => flags)).toEqual(wordless.map(() => ['citewell-unanswered']))
      await off(id)
    },
    60_000,
  )

  verifies(
    ['helpdesk-integrations.modes', 'helpdesk-integrations.email'],
    'a draft is in the folder for drafts, once, ready to be sent; who observes sends and stores nothing',
    async () => {
      const { id, address } = await connect({ mode: 'draft' })
      const drafted = await mail(address, QUESTION, { subject: '=?utf-8?q?Schl=C3=BCssel?=' })
      await world.look(id)
      await world.becomes(id, drafted, 'drafted')
      const [draft] = await servers.messagesIn(address, 'Drafts')
      expect(draft?.flags).toEqual([String.raw`\Draft`, String.raw`\Seen`])
      expect(headerOf(draft?.raw ?? '', 'To')).toBe(ADA)
      expect(headerOf(draft?.raw ?? '', 'Subject')).toMatch(/^=\?UTF-8\?Q\?Re/i)
      expect(draft?.raw).toContain(ROTATION)
      expect(draft?.raw).not.toMatch(/Auto-Submitted|written automatically|Draft of an answer/)
      await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, {
        config: { mode: 'observe' },
      })
      const seen = await mail(address, QUESTION)
      await world.look(id)
      expect(await world.becomes(id, seen, 'observed')).toMatchObject({ reason: 'deflected' })
      expect(servers.sent).toEqual([])
      expect(await servers.messagesIn(address, 'Drafts')).toHaveLength(1)
      expect(await servers.messagesIn(address, 'Sent')).toEqual([])
      await off(id)
    },
    60_000,
  )

  verifies(
    ['helpdesk-integrations.check', 'helpdesk-integrations.email'],
    'what is wrong is told with what to change: settings, password, folders, certificate, port; a password does not follow to another server',
    async () => {
      const { id } = await connect()
      const change = (config: object, credentials?: object) =>
        world.citewell.json<{ has_credentials: boolean }>('PATCH', `/api/v1/helpdesk-integrations/${id}`, {
          config,
          ...(credentials !== undefined && { credentials }),
        })
      const right = { password: servers.password }
      await change({ hand_over_to: 'Nobody', drafts_folder: 'None' })
      const folders = world.look(id)
      await expect(folders).rejects.toThrow('no folder for who takes over named Nobody')
      await expect(folders).rejects.toThrow('change drafts_folder')
      await change({ hand_over_to: null, drafts_folder: null }, { password: 'wrong' })
      const refused = world.look(id)
      await expect(refused).rejects.toThrow('Reading: localhost refused the user or the password')
      await expect(refused).rejects.toThrow('Sending: localhost refused the user or the password')
      await expect(refused).rejects.toThrow('app password')
      await change({}, right)
      await world.look(id)
      expect(await change({ imap_host: '127.0.0.1' })).toMatchObject({ has_credentials: false })
      await change({ smtp_security: 'tls' }, right)
      const insecure = world.look(id)
      // The certificate is for localhost.
      await expect(insecure).rejects.toThrow('127.0.0.1 has no valid certificate')
      await expect(insecure).rejects.toThrow('set security to starttls')
      await change({ imap_host: 'localhost', address: 'nothing', smtp_port: 0 }, right)
      const missing = world.look(id)
      await expect(missing).rejects.toThrow('The setting address is missing')
      await expect(missing).rejects.toThrow('smtp_port is no port')
      await off(id)
    },
    60_000,
  )
})
