import { addressKind, parseAddress } from '../address-kind.ts'
import { OutboundFailure } from '../outbound-failure.ts'
import type { Outbound } from '../outbound.ts'

/** Where a mailbox is read, or mail is handed in. */
export interface MailServer {
  host: string
  port: number
  /** `tls` from the first byte, `starttls` before the password, `none` in private networks only. */
  security: 'tls' | 'starttls' | 'none'
  user: string
  password: string
}

export type MailOutbound = Pick<Outbound, 'checkHost'>

/**
 * - `unreachable`: there is no usable connection; it may be there later.
 * - `address`: it is never connected to, or only in another way.
 * - `login`: user or password were refused.
 * - `refused`: the server said no to what was asked.
 * - `broken`: what it sent is no mail protocol, too large, or too slow.
 */
export type MailFault = 'unreachable' | 'address' | 'login' | 'refused' | 'broken'

/** What a mail server did, in words for whoever entered its address. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly fault: MailFault

  constructor(fault: MailFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

/** Ports for mailboxes and for handing mail in, on public hosts too. Port 25 is for servers among themselves. */
const MAIL_PORTS = [143, 993, 465, 587]

export const MAIL_LIMITS = {
  connectMs: 15_000,
  idleMs: 30_000,
  /** Of everything that is done on one connection. */
  totalMs: 50_000,
  /** One answer of a server. */
  answerBytes: 1_600_000,
}

/**
 * The address of a mail server, checked like that of every other outgoing connection: connect to it and to no other, so that a second
 * answer of a name server cannot lead elsewhere.
 *
 * @throws MailFailure
 */
export async function addressOfMailServer(
  outbound: MailOutbound,
  { host, port, security }: MailServer,
): Promise<string> {
  let addresses: readonly string[]
  try {
    // A port of mail is as good as one of the web.
    addresses = await outbound.checkHost(host, MAIL_PORTS.includes(port) ? 443 : port, 'customer')
  } catch (fault) {
    if (!(fault instanceof OutboundFailure)) throw fault
    throw fault.reason === 'port'
      ? new MailFailure(
          'address',
          `Only the ports ${MAIL_PORTS.join(', ')} are allowed for public mail servers, and ${host} is given with ${port}.`,
        )
      : new MailFailure(fault.isTransient ? 'unreachable' : 'address', fault.message, fault)
  }
  const isPublic = addresses.some((address) => {
    const parsed = parseAddress(address)
    return parsed === undefined || addressKind(parsed) === 'public'
  })
  if (security === 'none' && isPublic)
    throw new MailFailure(
      'address',
      `${host} is a public server: set security to tls or starttls, so that nobody on the way reads the password.`,
    )
  // Machines without IPv6 have names with it.
  return addresses.find((address) => !address.includes(':')) ?? addresses[0] ?? host
}

/** The name that the certificate has to be for; that of an address is the address. */
export const tlsNameOf = ({ host }: MailServer) =>
  parseAddress(host) === undefined ? { servername: host, tls: { servername: host } } : {}

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ETLS)/

/** What a failed connection means. Reasons that would tell apart hosts of a private network have the same words. */
export function connectionFailure(error: unknown, { host, port, security }: MailServer): MailFailure {
  if (error instanceof MailFailure) return error
  const codes = codesOf(error)
  if (codes.some((code) => TLS_CODE.test(code)))
    return new MailFailure(
      'address',
      security === 'tls'
        ? `${host} has no valid certificate at port ${port}, or does not speak TLS from the start there: with port 143 or 587, set security to starttls.`
        : `${host} could not be switched to TLS at port ${port}: its certificate is not valid, or it offers no STARTTLS.`,
      error,
    )
  return new MailFailure('unreachable', `${host} could not be reached at port ${port}.`, error)
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const message = /certificate|altnames|STARTTLS/i.test(error.message) ? ['ERR_TLS'] : []
  return [...code, ...message, ...codesOf(error.cause)]
}
