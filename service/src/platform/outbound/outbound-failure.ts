import { parseAddress } from './address-kind.ts'
import type { ChosenBy } from './chosen-by.ts'

/**
 * Why a request failed, in words for the owner of the address; `{host}` is filled in. Customers must not be able to distinguish reasons
 * with the same words: if private networks are allowed, "refused" and "timed out" would let them scan ports.
 */
const OUTBOUND_FAILURES = {
  bad_address: 'This is not a complete http or https address.',
  userinfo: 'Addresses with a name or password in them (user:password@host) are not followed.',
  port: 'Only the ports 80 and 443 are allowed for public addresses, and {host} uses another one.',
  private_address:
    '{host} is in a private network, which this service does not reach. The operator can allow it with CITEWELL_ALLOW_PRIVATE_NETWORK.',
  metadata_address: '{host} is the address of a cloud metadata service, which is never reached.',
  dns: 'There is no host named {host}, or its name could not be resolved.',
  refused: '{host} could not be reached.',
  reset: '{host} could not be reached.',
  connect_timeout: '{host} could not be reached.',
  timeout: '{host} did not answer in time.',
  tls: '{host} could not be reached over https: its certificate or encryption is not valid.',
  too_many_redirects: '{host} redirects too many times.',
  insecure_redirect: '{host} redirects from https to http, which is not followed.',
  too_large: 'The response of {host} is larger than allowed.',
  bad_encoding: 'The response of {host} could not be decompressed.',
  bad_response: '{host} did not send a valid HTTP response.',
} as const satisfies Record<string, string>

export type OutboundReason = keyof typeof OUTBOUND_FAILURES

/** Messages for the operator, from whom the difference need not be hidden. */
const OPERATOR_MESSAGES: Partial<Record<OutboundReason, string>> = {
  refused: '{host} refuses connections: nothing listens there.',
  reset: '{host} closed the connection before it answered.',
  connect_timeout: '{host} could not be connected to in time.',
}

/**
 * The same message for an unknown name, a name in a private network, and a private host where nothing answers: otherwise anyone who may
 * enter an address could enumerate the names of the network that this service runs in.
 */
const HIDDEN_MESSAGE =
  '{host} could not be reached: there is no such host, or nothing answers there, or it is in a network that this service may not use. Check the address; the operator can allow a host in your own network with CITEWELL_ALLOW_PRIVATE_NETWORK.'

/** If a public page linked there, no setting can allow it. */
const PAGE_MESSAGES: Partial<Record<OutboundReason, string>> = {
  private_address:
    '{host} is in a private network, and links from pages of the public web are not followed there.',
}
const HIDDEN_PAGE_MESSAGE =
  '{host} could not be reached: there is no such host, or nothing answers there, or it is in a private network, and links from pages of the public web are not followed there.'

/** Reasons that may be transient. */
const TRANSIENT: readonly OutboundReason[] = [
  'dns',
  'refused',
  'reset',
  'connect_timeout',
  'timeout',
  'bad_response',
]

/** These would reveal whether a name exists in DNS. */
const REVEALS_NAMES: readonly OutboundReason[] = ['dns', 'private_address', 'metadata_address']

/** And these, if the name is known to be in a private network. */
const REVEALS_PRIVATE_HOSTS: readonly OutboundReason[] = ['refused', 'reset', 'connect_timeout']

/** Well-known names, and IP addresses, reveal nothing. */
const isSecretName = (host: string) => {
  const name = host.replace(/:\d+$/, '')
  return parseAddress(name) === undefined && !/(^|\.)localhost\.?$/i.test(name)
}

interface OutboundFault {
  host: string
  chosenBy: ChosenBy
  /** Whether the host is known to be in a private network. */
  isInside?: boolean
  cause?: unknown
}

function messageOf(reason: OutboundReason, { chosenBy }: OutboundFault, isHidden: boolean): string {
  if (chosenBy === 'operator') return OPERATOR_MESSAGES[reason] ?? OUTBOUND_FAILURES[reason]
  if (chosenBy === 'web-page' && isHidden) return HIDDEN_PAGE_MESSAGE
  if (isHidden) return HIDDEN_MESSAGE
  return (chosenBy === 'web-page' ? PAGE_MESSAGES[reason] : undefined) ?? OUTBOUND_FAILURES[reason]
}

/** A request that got no usable response. The message may be shown to the owner of the address. */
export class OutboundFailure extends Error {
  readonly reason: OutboundReason
  readonly host: string
  readonly chosenBy: ChosenBy
  /** Whether a retry may help. Reasons with the same message give the same value. */
  readonly isTransient: boolean

  constructor(reason: OutboundReason, fault: OutboundFault) {
    const isHidden =
      fault.chosenBy !== 'operator' &&
      isSecretName(fault.host) &&
      (REVEALS_NAMES.includes(reason) || (fault.isInside === true && REVEALS_PRIVATE_HOSTS.includes(reason)))
    super(messageOf(reason, fault, isHidden).replaceAll('{host}', fault.host), { cause: fault.cause })
    this.name = 'OutboundFailure'
    this.reason = reason
    this.host = fault.host
    this.chosenBy = fault.chosenBy
    this.isTransient = isHidden || TRANSIENT.includes(reason)
  }
}

const REASON_OF_CODE: Record<string, OutboundReason> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  EPROTO: 'tls',
}

/** Classifies an error of the socket, TLS or HTTP code. */
export function reasonOf(error: unknown): OutboundReason {
  if (!(error instanceof Error)) return 'bad_response'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = REASON_OF_CODE[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls'
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error.cause === undefined ? 'bad_response' : reasonOf(error.cause)
}
