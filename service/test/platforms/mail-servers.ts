import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { chown, rename, writeFile } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ImapFlow } from 'imapflow'
import { SMTPServer } from 'smtp-server'
import { freePort } from '../free-port.ts'
import { selfSigned } from '../self-signed.ts'

const DOVECOT = '/usr/sbin/dovecot'

/**
 * Whether the real Dovecot of Debian (dovecot-imapd) is on this machine, in a version that takes this configuration: 2.4 has another one. It
 * gives up the rights of root, so it needs them.
 */
export const HAS_DOVECOT =
  existsSync(DOVECOT) &&
  existsSync('/usr/lib/dovecot/imap') &&
  process.getuid?.() === 0 &&
  spawnSync(DOVECOT, ['--version'], { encoding: 'utf8' }).stdout.startsWith('2.3')

export const NO_DOVECOT = 'Dovecot 2.3 is not installed, or this is not root: its tests are skipped.'

/** What the SMTP server does with the next mail. */
export type Mishap = 'busy' | 'refuses' | 'hangs up'

export interface SentMail {
  from: string
  to: string[]
  raw: string
}

export interface MailServers extends AsyncDisposable {
  /** Of both servers: they have one certificate. */
  host: 'localhost'
  imapPort: number
  smtpPort: number
  password: string
  /** How often a connection was turned away because there were too many to one mailbox. */
  turnedAway(): number
  /** Their certificate, for other processes. */
  certificateFile: string
  /** What was handed in to the SMTP server, and taken. */
  sent: SentMail[]
  misbehave(...next: Mishap[]): void
  /** What happens when a mail is handed in, before it is taken. */
  onSending(run: (() => Promise<void>) | undefined): void
  /** Messages arrive in a folder of a user: INBOX, unless another is given. */
  deliver(user: string, mail: string | readonly string[], given?: { folder?: string }): Promise<void>
  /** The messages of a folder, as they are stored. */
  messagesIn(user: string, folder: string): Promise<{ raw: string; flags: string[] }[]>
  /** Does something in a mailbox as a mail program would. */
  as<Result>(user: string, work: (client: ImapFlow) => Promise<Result>): Promise<Result>
}

const PASSWORD = 'mail-password-1'

/** Whom Dovecot reads mailboxes as. */
const MAIL_USER = 65_534

const CONFIG = (folder: string, port: number, mostConnections: number) => `
mail_max_userip_connections = ${mostConnections}
base_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = yes
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u
mail_fsync = never
first_valid_uid = 1
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${MAIL_USER} gid=${MAIL_USER} home=${folder}/home/%u
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
  mailbox Drafts {
    special_use = \\Drafts
    auto = create
  }
  mailbox People {
    auto = create
  }
}
# No delays for those who mistype a password.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
# A process for many connections: starting one for each costs more than what is done in it.
service imap-login {
  service_count = 0
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service imap {
  service_count = 1000
}
`

/** Puts mail into the folders of users as programs do that deliver it. A connection for each would cost more than what is tested. */
function createDelivery(mailboxes: string): MailServers['deliver'] {
  const known = new Set<string>()
  let delivered = 0

  function makeFolder(path: string): void {
    for (const each of [path, ...['tmp', 'new', 'cur'].map((name) => join(path, name))]) {
      mkdirSync(each, { recursive: true })
      chownSync(each, MAIL_USER, MAIL_USER)
    }
    known.add(path)
  }

  return async (user, mail, { folder = 'INBOX' } = {}) => {
    const inbox = join(mailboxes, user)
    const path = folder === 'INBOX' ? inbox : join(inbox, `.${folder.replaceAll('/', '.')}`)
    for (const each of [inbox, path]) if (!known.has(each)) makeFolder(each)
    for (const one of [mail].flat()) {
      delivered += 1
      // By their names messages have their order.
      const name = `${Math.floor(Date.now() / 1_000)}.M${String(delivered).padStart(6, '0')}P1.localhost`
      const written = join(path, 'tmp', name)
      await writeFile(written, one)
      await chown(written, MAIL_USER, MAIL_USER)
      await rename(written, join(path, 'new', name))
    }
  }
}

async function startSmtp(tls: { key: string; cert: string }) {
  const sent: SentMail[] = []
  const next: Mishap[] = []
  let whenSending: (() => Promise<void>) | undefined
  const server = new SMTPServer({
    ...tls,
    // STARTTLS, and no password before it.
    secure: false,
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ password }, _session, done) =>
      password === PASSWORD ? done(null, { user: 'mail' }) : done(new Error('Invalid login')),
    onData: (stream, session, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const take = async () => {
          await whenSending?.()
          const mishap = next.shift()
          if (mishap === 'busy') return done(Object.assign(new Error('Try later'), { responseCode: 451 }))
          if (mishap === 'refuses') return done(Object.assign(new Error('No'), { responseCode: 554 }))
          const { mailFrom, rcptTo } = session.envelope
          sent.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(pieces).toString(),
          })
          // It has the mail, and nobody hears of it.
          if (mishap === 'hangs up') {
            for (const socket of sockets) socket.destroy()
            return
          }
          return done()
        }
        void take()
      })
    },
  })
  server.on('error', () => undefined)
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    sent,
    port: (server.server.address() as AddressInfo).port,
    misbehave: (...given: Mishap[]) => {
      next.push(...given)
    },
    onSending: (run: (() => Promise<void>) | undefined) => {
      whenSending = run
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(resolve)
      }),
  }
}

/**
 * The real Dovecot, with a configuration and mailboxes of its own on a free port, and a strict SMTP server in this process, which takes what
 * is sent (Postfix cannot be beside the mail program that Request Tracker needs). Their certificate is valid in this process.
 *
 * @param given.mostConnections of one user
 */
export async function startMailServers({ mostConnections = 10 } = {}): Promise<MailServers> {
  const folder = mkdtempSync(join(tmpdir(), 'citewell-mail-'))
  chmodSync(folder, 0o755)
  for (const name of ['mail', 'home']) {
    mkdirSync(join(folder, name))
    chmodSync(join(folder, name), 0o777)
  }
  const tls = selfSigned(['localhost'])
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, tls.cert])
  writeFileSync(join(folder, 'cert.pem'), tls.cert)
  writeFileSync(join(folder, 'key.pem'), tls.key)
  const imapPort = await freePort()
  const config = join(folder, 'dovecot.conf')
  writeFileSync(config, CONFIG(folder, imapPort, mostConnections))
  const dovecot = spawn(DOVECOT, ['-F', '-c', config], { stdio: 'ignore' })
  const ended = new Promise((resolve) => {
    dovecot.once('exit', resolve)
  })
  const smtp = await startSmtp(tls)

  const as: MailServers['as'] = async (user, work) => {
    const client = new ImapFlow({
      host: 'localhost',
      port: imapPort,
      secure: true,
      auth: { user, pass: PASSWORD },
      logger: false,
      disableAutoIdle: true,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await work(client)
    } finally {
      client.close()
    }
  }
  const end = Date.now() + 30_000
  for (;;) {
    const isUp = await as('probe@example.com', () => Promise.resolve(true)).catch(() => false)
    if (isUp) break
    if (Date.now() > end || dovecot.exitCode !== null) {
      throw new Error(`Dovecot does not start: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)}`)
    }
    await new Promise((wake) => {
      setTimeout(wake, 50)
    })
  }
  return {
    host: 'localhost',
    imapPort,
    smtpPort: smtp.port,
    password: PASSWORD,
    certificateFile: join(folder, 'cert.pem'),
    turnedAway: () =>
      readFileSync(join(folder, 'log'), 'utf8').split('Maximum number of connections').length - 1,
    sent: smtp.sent,
    misbehave: smtp.misbehave,
    onSending: smtp.onSending,
    as,
    deliver: createDelivery(join(folder, 'mail')),
    messagesIn: (user, path) =>
      as(user, async (client) => {
        const { exists } = await client.mailboxOpen(path, { readOnly: true })
        if (exists === 0) return []
        const messages = await client.fetchAll('1:*', { source: true, flags: true })
        return messages.map(({ source, flags }) => ({
          raw: (source ?? Buffer.alloc(0)).toString(),
          flags: [...(flags ?? [])].filter((flag) => flag !== String.raw`\Recent`).toSorted(),
        }))
      }),
    [Symbol.asyncDispose]: async () => {
      await smtp.close()
      dovecot.kill('SIGTERM')
      await ended
      setDefaultCACertificates(trusted)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
