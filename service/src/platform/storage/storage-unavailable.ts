import { Refusal } from '../../kernel/refusal.ts'

/** Messages for callers on why nothing can be written or read now. */
const UNAVAILABLE_BECAUSE = {
  full: 'The disk of the service is full: nothing can be written until space is freed. Reading still works where possible.',
  opening: 'The storage of the service is being reopened. Please try again shortly.',
  busy: 'The storage of the service is too busy at the moment. Please try again shortly.',
  tooLong: 'This took the storage of the service too long and was cancelled. Please try again.',
  noAnswer: 'The database of the service does not answer at the moment. Please try again shortly.',
  closed: 'The service is stopping.',
} as const

export type UnavailableReason = keyof typeof UNAVAILABLE_BECAUSE

const RETRY_AFTER_SECONDS = 5

/** The storage failed for reasons unrelated to the statement: a retry may help. */
export class StorageUnavailable extends Refusal {
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, cause?: unknown) {
    super('UNAVAILABLE', {
      because: UNAVAILABLE_BECAUSE[reason],
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    })
    this.name = 'StorageUnavailable'
    this.reason = reason
  }
}

/** SQLSTATEs (PostgreSQL's appendix A) and Node's own codes that are not errors of the statement. */
const REASON_OF_CODE: Readonly<Record<string, UnavailableReason>> = {
  '53100': 'full',
  // A nearly full disk makes the embedded engine read-only; so is a server that lost its primary.
  '25006': 'full',
  ENOSPC: 'full',
  EDQUOT: 'full',
  '53000': 'busy',
  '53200': 'busy',
  '53300': 'busy',
  '53400': 'busy',
  '57014': 'tooLong',
  '57P01': 'noAnswer',
  '57P02': 'noAnswer',
  '57P03': 'noAnswer',
  '57P05': 'noAnswer',
  '58000': 'noAnswer',
  '58030': 'noAnswer',
  ECONNREFUSED: 'noAnswer',
  ECONNRESET: 'noAnswer',
  EPIPE: 'noAnswer',
  ETIMEDOUT: 'noAnswer',
  EHOSTUNREACH: 'noAnswer',
  ENETUNREACH: 'noAnswer',
  ENOTFOUND: 'noAnswer',
  EAI_AGAIN: 'noAnswer',
  // The socket of a restarting server is missing for a moment.
  ENOENT: 'noAnswer',
}

/** Errors of the `pg` package without a code, when a connection ends or cannot be made. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout e|Query read timeout)/

/** Converts a storage error for the caller: unavailable if that is the cause, else unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = Object.hasOwn(REASON_OF_CODE, code) ? REASON_OF_CODE[code] : undefined
  const isLost = code.startsWith('08') || (code === '' && LOST_CONNECTION.test(error.message))
  const reason = known ?? (isLost ? 'noAnswer' : undefined)
  return reason === undefined ? error : new StorageUnavailable(reason, error)
}
