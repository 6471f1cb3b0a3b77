import SMTPConnection from 'nodemailer/lib/smtp-connection'
import {
  addressOfMailServer,
  connectionFailure,
  MAIL_LIMITS,
  MailFailure,
  tlsNameOf,
  type MailOutbound,
  type MailServer,
} from './mail-server.ts'

/** A mail as it goes out. */
export interface OutgoingMail {
  from: string
  to: string
  raw: Buffer
}

/**
 * - `sent`: the server has taken it.
 * - `again`: it certainly has not, and may the next time.
 * - `failed`: it never will.
 * - `unknown`: nothing was heard after it was handed over.
 */
export type SendOutcome =
  | { is: 'sent' }
  | { is: 'again' | 'failed'; failure: MailFailure }
  | { is: 'unknown'; failure: MailFailure }

const isCode = (error: Error, code: string) => 'code' in error && error.code === code

const responseOf = (error: Error): number | undefined =>
  'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined

/** What the server said in answer to the mail itself. */
function outcomeOf(error: Error, { host }: MailServer): SendOutcome {
  const status = responseOf(error)
  // Refused before it was sent: an address that the server cannot take, or a mail that is too large for it.
  const isUnsendable = status === undefined && (isCode(error, 'EENVELOPE') || isCode(error, 'EMESSAGE'))
  if (isUnsendable || (status !== undefined && status >= 500))
    return {
      is: 'failed',
      failure: new MailFailure(
        'refused',
        `${host} did not take a mail (${isUnsendable ? 'its address or size' : `status ${status}`}): look whether the user may send from this address, and to that of the customer.`,
        error,
      ),
    }
  const failure = new MailFailure('unreachable', `${host} did not take a mail for now.`, error)
  return status === undefined ? { is: 'unknown', failure } : { is: 'again', failure }
}

function loginFailure(error: Error, server: MailServer): MailFailure {
  if (!isCode(error, 'EAUTH')) return connectionFailure(error, server)
  return new MailFailure(
    (responseOf(error) ?? 500) < 500 ? 'unreachable' : 'login',
    `${server.host} refused the user or the password for sending. With two-step sign-in, make an app password; some providers switch SMTP on per mailbox.`,
    error,
  )
}

/** Hands a mail in; without one, it only signs in. Everything that server and network do is an outcome. */
export async function sendMail(
  outbound: MailOutbound,
  server: MailServer,
  mail: OutgoingMail | undefined,
  signal: AbortSignal,
): Promise<SendOutcome> {
  let host: string
  try {
    host = await addressOfMailServer(outbound, server)
  } catch (failure) {
    if (!(failure instanceof MailFailure)) throw failure
    return { is: failure.fault === 'unreachable' ? 'again' : 'failed', failure }
  }
  const connection = new SMTPConnection({
    host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    ...tlsNameOf(server),
    // The name of this machine is nobody's business.
    name: mail?.from.split('@').at(-1) ?? 'localhost',
    connectionTimeout: MAIL_LIMITS.connectMs,
    greetingTimeout: MAIL_LIMITS.connectMs,
    socketTimeout: MAIL_LIMITS.idleMs,
    socketCloseTimeout: 0,
    maxResponseSize: 65_536,
    logger: false,
  })
  const ending = AbortSignal.any([signal, AbortSignal.timeout(MAIL_LIMITS.totalMs)])
  const broke = Promise.withResolvers<never>()
  connection.on('error', (error: Error) => broke.reject(error))
  connection.on('end', () => broke.reject(new Error('The connection was closed.')))
  const abort = () => broke.reject(new Error('It took too long, or the service is shutting down.'))
  ending.addEventListener('abort', abort, { once: true })
  broke.promise.catch(() => undefined)
  /** Ends with the call back, or with the connection. */
  const step = (begin: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      new Promise<void>((resolve, reject) => {
        begin((error) => (error === undefined || error === null ? resolve() : reject(error)))
      }),
      broke.promise,
    ])
  try {
    try {
      ending.throwIfAborted()
      await step((done) => connection.connect((error) => done(error)))
      if (server.user !== '') {
        const credentials = { user: server.user, pass: server.password }
        await step((done) => connection.login({ credentials }, (error) => done(error)))
      }
    } catch (error) {
      const failure = loginFailure(error as Error, server)
      return { is: failure.fault === 'unreachable' ? 'again' : 'failed', failure }
    }
    if (mail === undefined) return { is: 'sent' }
    try {
      const envelope = { from: mail.from, to: [mail.to] }
      await step((done) => connection.send(envelope, mail.raw, (error) => done(error)))
      return { is: 'sent' }
    } catch (error) {
      return outcomeOf(error as Error, server)
    }
  } finally {
    ending.removeEventListener('abort', abort)
    connection.close()
  }
}
