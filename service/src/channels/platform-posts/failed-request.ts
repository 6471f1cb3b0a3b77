import { OutboundFailure, type OutboundReason } from '../../platform/outbound/outbound-failure.ts'
import type { PostOutcome } from './post-outcome.ts'

/** The request certainly did not arrive. */
const NOT_SENT: readonly OutboundReason[] = ['dns', 'refused', 'connect_timeout', 'tls']
/** And never will. */
const NEVER: readonly OutboundReason[] = [
  'bad_address',
  'userinfo',
  'port',
  'private_address',
  'metadata_address',
]

/** Where a platform asks to wait without saying how long. */
const DEFAULT_WAIT_MS = 30_000
const LEAST_WAIT_MS = 500

const UNCONFIRMED =
  'did not confirm an answer, so it may or may not have been posted. It was not posted again, so that nobody gets it twice.'

/** Why it is not known whether a post arrived, for the owner of the bot. */
export const unconfirmed = (platform: string) => `${platform} ${UNCONFIRMED}`

/** The same if the process ended meanwhile. */
export const LOST =
  'The service ended while an answer was being posted: it may have arrived, so it was not posted again.'

/** Whether a problem tells of a post that may have arrived. Only a later post takes its place: that the platform can be reached does not. */
export const isUncertainty = (problem: string): boolean => problem === LOST || problem.endsWith(UNCONFIRMED)

interface Posted {
  platform: string
  /** Whether the platform makes one post of two such requests. */
  isRepeatable: boolean
}

/** What became of a post whose request failed. */
export function outcomeOfFault(fault: unknown, given: Posted): PostOutcome {
  if (fault instanceof OutboundFailure && NEVER.includes(fault.reason))
    return { is: 'failed', because: fault.message }
  const isNotSent = fault instanceof OutboundFailure && NOT_SENT.includes(fault.reason)
  return isNotSent || given.isRepeatable
    ? { is: 'again' }
    : { is: 'unknown', because: unconfirmed(given.platform) }
}

/** `Retry-After` in milliseconds: seconds, with or without a fraction, or a date. Help Scout says it in a header of its own. */
export function retryAfterMs(headers: Headers, now: number): number {
  const given = headers.get('retry-after') ?? headers.get('x-ratelimit-retry-after') ?? ''
  const ms = /^\d{1,6}(?:\.\d{1,6})?$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now
  return Number.isFinite(ms) ? Math.max(ms, LEAST_WAIT_MS) : DEFAULT_WAIT_MS
}

/** Sends a post. What goes wrong in the same way everywhere becomes an outcome; other answers are returned. */
export async function sendPost<Answer extends { status: number; headers: Headers }>(
  send: () => Promise<Answer>,
  given: Posted,
): Promise<PostOutcome | { is: 'answered'; answer: Answer }> {
  let answer: Answer
  try {
    answer = await send()
  } catch (fault) {
    return outcomeOfFault(fault, given)
  }
  const { status, headers } = answer
  if (status === 429) return { is: 'wait', ms: retryAfterMs(headers, Date.now()) }
  if (status < 500) return { is: 'answered', answer }
  return given.isRepeatable ? { is: 'again' } : { is: 'unknown', because: unconfirmed(given.platform) }
}
