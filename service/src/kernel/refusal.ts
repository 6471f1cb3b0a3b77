import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import { faultSentence } from './fault-sentence.ts'

/** One validation error of a request, for the `details` of an error body. */
export interface RefusalDetail {
  path: string
  message: string
}

/**
 * A request that is refused. Rooms throw it; only `platform/http` turns it into a response.
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
      /** Overrides the default of the code, e.g. no retry fixes a missing setting. */
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

/** Refuses one field of a request. */
export const wrongField = (path: string, message: string): Refusal =>
  new Refusal('BAD_REQUEST', { details: [{ path, message }] })
