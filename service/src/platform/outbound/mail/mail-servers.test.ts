import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createOutbound } from '../outbound.ts'
import type { PrivateNetworkSetting } from '../outbound-policy.ts'
import { MailFailure, type MailServer } from './mail-server.ts'
import { withMailbox } from './open-mailbox.ts'
import { sendMail } from './send-mail.ts'

const never = new AbortController().signal

/** A server that says this to everyone, and answers each line with what `answer` gives. */
async function startServer(greeting: string, answer: (line: string, socket: Socket) => string | undefined) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.write(greeting)
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const said = answer(line, socket)
        if (said !== undefined && socket.writable) socket.write(said)
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

function outboundOf(
  allowPrivateNetwork: PrivateNetworkSetting,
  addresses: readonly string[] = ['127.0.0.1'],
) {
  const asked: string[] = []
  const outbound = createOutbound({
    allowPrivateNetwork,
    lookup: (name) => {
      asked.push(name)
      // A second question would get an address of its own.
      return Promise.resolve(asked.length === 1 ? addresses : ['203.0.113.1'])
    },
  })
  onTestFinished(() => outbound.close())
  return { outbound, asked }
}

const serverAt = (port: number, given: Partial<MailServer> = {}): MailServer => ({
  host: 'mail.corp',
  port,
  security: 'none',
  user: 'ada',
  password: 'secret',
  ...given,
})

const failureOf = async (work: Promise<unknown>): Promise<MailFailure> => {
  const fault: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(fault instanceof MailFailure)) throw new Error(`No failure of mail: ${String(fault)}`)
  return fault
}

const MAIL = {
  from: 'help@acme.example',
  to: 'ada@customer.example',
  raw: Buffer.from('Subject: x\r\n\r\nx\r\n'),
}

test('a mail server in a private network is not connected to unless the operator allows it, and neither is metadata', async () => {
  const server = await startServer('* OK\r\n', () => undefined)
  for (const [allowed, addresses] of [
    [false, ['127.0.0.1']],
    [true, ['169.254.169.254']],
  ] as const) {
    const { outbound } = outboundOf(allowed, addresses)
    const failure = await failureOf(
      withMailbox(outbound, serverAt(server.port), never, () => Promise.resolve()),
    )
    expect(failure.message).toContain('mail.corp could not be reached')
    const sent = await sendMail(outbound, serverAt(server.port), MAIL, never)
    expect(sent.is).not.toBe('sent')
  }
  expect(server.connections()).toBe(0)
})

test('public mail servers are reached at ports of mail only, and never without encryption', async () => {
  const { outbound } = outboundOf(false, ['8.8.8.8'])
  const of = (port: number, security: MailServer['security']) =>
    failureOf(
      withMailbox(outbound, serverAt(port, { host: '8.8.8.8', security }), never, () => Promise.resolve()),
    )
  expect((await of(25, 'tls')).message).toContain('Only the ports 143, 993, 465, 587')
  expect((await of(22, 'tls')).fault).toBe('address')
  expect((await of(143, 'none')).message).toContain('set security to tls or starttls')
})

test('a mailbox is read at the address that was checked, with one question to the name server', async () => {
  const server = await startServer('* OK ready\r\n', (line) => {
    const [tag = '', command = ''] = line.split(' ')
    if (command === 'CAPABILITY') return `* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`
    return `${tag} OK\r\n`
  })
  const { outbound, asked } = outboundOf(['mail.corp'])
  await expect(
    withMailbox(outbound, serverAt(server.port), never, () => Promise.resolve('open')),
  ).resolves.toBe('open')
  expect([asked, server.connections()]).toEqual([['mail.corp'], 1])
})

test('a server that sends without end, or more than one answer may hold, is left', async () => {
  for (const flood of ['* OK '.padEnd(400_000, 'x'), `* OK\r\n* 1 FETCH (BODY[] {900000000}\r\n`]) {
    const server = await startServer(flood, () => undefined)
    const { outbound } = outboundOf(['mail.corp'])
    const failure = await failureOf(
      withMailbox(outbound, serverAt(server.port), never, () => Promise.resolve()),
    )
    expect(failure.message).toMatch(/mail\.corp (?:could not be reached|sent more)/)
  }
})

/** A mailbox with one message, whose file "2" has five bytes; what is in `answers` is answered to that command instead. */
const startMailbox = (answers: Record<string, (tag: string) => string> = {}) => {
  let storing: string | undefined
  const mime = 'Content-Type: application/pdf\r\n\r\n'
  const usual: typeof answers = {
    CAPABILITY: (tag) => `* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`,
    LIST: (tag) => `* LIST () "/" INBOX\r\n${tag} OK\r\n`,
    EXAMINE: (tag) => `* 1 EXISTS\r\n* OK [UIDVALIDITY 1] Fine\r\n* OK [UIDNEXT 2] Fine\r\n${tag} OK\r\n`,
    UID: (tag) =>
      `* 1 FETCH (UID 1 RFC822.SIZE 99 BODY[2.MIME] {${mime.length}}\r\n${mime} BODY[2]<0> {5}\r\nhello)\r\n${tag} OK\r\n`,
    ...answers,
  }
  return startServer('* OK ready\r\n', (line) => {
    const [tag = '', command = ''] = line.split(' ')
    if (command === 'APPEND') {
      storing = tag
      return '+ Go on\r\n'
    }
    if (storing !== undefined) return line === 'x' ? `${storing} NO There is no such folder\r\n` : undefined
    return usual[command]?.(tag) ?? `${tag} OK\r\n`
  })
}

const inMailbox = async <Result>(
  { port }: { port: number },
  work: Parameters<typeof withMailbox<Result>>[3],
  totalMs?: number,
) => await withMailbox(outboundOf(['mail.corp']).outbound, serverAt(port), never, work, totalMs)

test('a file of a mail is read up to the limit, and refused beyond it', async () => {
  const server = await startMailbox()
  const part = { uid: 1, part: '2', name: 'plan.pdf', bytes: 3 }
  const read = async (maxBytes: number) =>
    await inMailbox(server, async (mailbox) => {
      await mailbox.open('INBOX')
      return Buffer.from((await mailbox.content(part, maxBytes)) ?? []).toString()
    })
  expect(await read(5)).toBe('hello')
  expect(await failureOf(read(4))).toMatchObject({
    fault: 'refused',
    message: 'The file plan.pdf is larger than its mail says.',
  })
})

test('what a server does wrong in an open mailbox is told: it refuses, sends too much, or takes too long', async () => {
  const refusing = await startMailbox()
  expect(
    await failureOf(inMailbox(refusing, async ({ append }) => await append('Sent', MAIL.raw, []))),
  ).toMatchObject({ fault: 'refused', message: 'mail.corp did not store a message in the folder Sent.' })

  for (const flood of [
    '* 1 FETCH (BODY[] {900000000}\r\n',
    '* OK '.padEnd(400_000, 'x'),
    `* 1 FETCH (${'(A) '.repeat(60_000)})\r\n`,
  ]) {
    const flooding = await startMailbox({ EXAMINE: () => flood })
    expect(await failureOf(inMailbox(flooding, async ({ open }) => await open('INBOX')))).toMatchObject({
      fault: 'broken',
      message: expect.stringContaining('sent more than is read'),
    })
  }

  const silent = await startMailbox({ EXAMINE: () => '* OK Wait\r\n' })
  expect(await failureOf(inMailbox(silent, async ({ open }) => await open('INBOX'), 300))).toMatchObject({
    fault: 'broken',
    message: 'mail.corp took too long.',
  })
})

test('whether a mail was taken is known, is not, or will be', async () => {
  const smtp = (atEnd: string | undefined) => {
    let isData = false
    return startServer('220 mail.corp\r\n', (line, socket) => {
      if (line === '.') {
        if (atEnd === undefined) socket.destroy()
        return atEnd
      }
      if (isData) return undefined
      if (line.startsWith('EHLO')) return '250-mail.corp\r\n250 AUTH PLAIN\r\n'
      if (line.startsWith('AUTH')) return '235 Welcome\r\n'
      if (line === 'DATA') isData = true
      return line === 'DATA' ? '354 Go on\r\n' : '250 Fine\r\n'
    })
  }
  const outcomes: string[] = []
  for (const end of ['250 Queued\r\n', '451 Later\r\n', '554 Never\r\n', undefined]) {
    const { port } = await smtp(end)
    outcomes.push((await sendMail(outboundOf(['mail.corp']).outbound, serverAt(port), MAIL, never)).is)
  }
  expect(outcomes).toEqual(['sent', 'again', 'failed', 'unknown'])
  // No server is asked to take what is no address.
  const { port } = await smtp('250 Queued\r\n')
  const nobody = { ...MAIL, to: 'ada@customer.example>' }
  expect((await sendMail(outboundOf(['mail.corp']).outbound, serverAt(port), nobody, never)).is).toBe(
    'failed',
  )
})

test('a server that hangs up before it says anything is tried again, without waiting for its words', async () => {
  const server = createServer((socket) => void socket.end())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const sent = await sendMail(outboundOf(['mail.corp']).outbound, serverAt(port), MAIL, never)
  expect(sent).toMatchObject({ is: 'again', failure: { fault: 'unreachable' } })
})

test('STARTTLS that is not offered ends before the password', async () => {
  const said: string[] = []
  const server = await startServer('220 mail.corp\r\n', (line) => {
    said.push(line)
    return line.startsWith('EHLO') ? '250-mail.corp\r\n250 AUTH PLAIN\r\n' : '502 No\r\n'
  })
  const { outbound } = outboundOf(['mail.corp'])
  const sent = await sendMail(outbound, serverAt(server.port, { security: 'starttls' }), MAIL, never)
  expect(sent).toMatchObject({ is: 'failed', failure: { fault: 'address' } })
  expect(said.join('\n')).not.toContain('AUTH PLAIN')
})
