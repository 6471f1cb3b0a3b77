import type { ChosenBy } from './chosen-by.ts'

/**
 * Why nothing came back, in words for the owner of the address; `{host}` is filled in. Reasons with the same words look the
 * same to customers: with private networks allowed, telling "refused" from "timed out" would map them port by port.
 */
const OUTBOUND_FAILURES = {
  bad_address: 'This is not a complete http or https address.',
  userinfo: 'Addresses with a name or password in them (user:password@host) are not followed.',
  port: 'Only the ports 80 and 443 are used for public addresses, and {host} names another one.',
  private_address:
    '{host} is in a private network, which this service does not reach. The operator can allow it with CITEWELL_ALLOW_PRIVATE_NETWORK.',
  metadata_address: '{host} is the address of a cloud metadata service, which is never reached.',
  dns: 'There is no host named {host}, or its name could not be looked up.',
  refused: '{host} could not be reached.',
  reset: '{host} could not be reached.',
  connect_timeout: '{host} could not be reached.',
  timeout: '{host} did not answer in time.',
  tls: '{host} could not be reached over https: its certificate or encryption is not valid.',
  too_many_redirects: '{host} redirects too many times.',
  insecure_redirect: '{host} redirects from https to http, which is not followed.',
  too_large: 'What {host} sent is larger than allowed.',
  bad_encoding: 'What {host} sent could not be decompressed.',
  bad_response: '{host} did not answer in proper HTTP.',
} as const satisfies Record<string, string>

export type OutboundReason = keyof typeof OUTBOUND_FAILURES

/** What an operator is told, for whom the difference is no secret. */
const OPERATOR_WORDS: Partial<Record<OutboundReason, string>> = {
  refused: '{host} refuses connections: nothing listens there.',
  reset: '{host} closed the connection before it had answered.',
  connect_timeout: '{host} could not be connected to in time.',
}

/** Reasons that may be gone when the same thing is asked for again. */
const PASSING: readonly OutboundReason[] = [
  'dns',
  'refused',
  'reset',
  'connect_timeout',
  'timeout',
  'bad_response',
]

/** Nothing, or nothing usable, came back. The message may be shown to the owner of the address. */
export class OutboundFailure extends Error {
  readonly reason: OutboundReason
  /** Whether asking again may help. */
  readonly isPassing: boolean

  constructor(reason: OutboundReason, given: { host: string; chosenBy: ChosenBy; cause?: unknown }) {
    const words =
      (given.chosenBy === 'operator' ? OPERATOR_WORDS[reason] : undefined) ?? OUTBOUND_FAILURES[reason]
    super(words.replaceAll('{host}', given.host), { cause: given.cause })
    this.name = 'OutboundFailure'
    this.reason = reason
    this.isPassing = PASSING.includes(reason)
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
  EPROTO: 'tls',
}

/** Says which reason stands behind whatever the socket, TLS or HTTP code threw. */
export function reasonOf(error: unknown): OutboundReason {
  if (!(error instanceof Error)) return 'bad_response'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = REASON_OF_CODE[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls'
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error.cause === undefined ? 'bad_response' : reasonOf(error.cause)
}
