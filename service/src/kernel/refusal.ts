import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import { faultSentence } from './fault-sentence.ts'

/** One fault of a request, for the `details` of an error body. */
export interface RefusalDetail {
  path: string
  message: string
}

/**
 * A request that is refused. Rooms throw it; `platform/http` alone turns it into an answer.
 *
 * @example
 * throw new Refusal('NOT_FOUND', { because: 'There is no such source.' })
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetail[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean

  constructor(
    code: RefusalCode,
    options: {
      because?: string
      details?: RefusalDetail[]
      retryAfterSeconds?: number
      /** Where it differs from what holds for its code: no retry mends a missing setting. */
      isRetryable?: boolean
      cause?: unknown
    } = {},
  ) {
    const [fault] = code === 'BAD_REQUEST' ? (options.details ?? []) : []
    const said = options.because ?? (fault === undefined ? undefined : faultSentence(fault))
    super(said ?? REFUSALS[code].reader, { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.isRetryable = options.isRetryable ?? REFUSALS[code].retryable
  }
}
