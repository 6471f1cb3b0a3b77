import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'

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

  constructor(
    code: RefusalCode,
    options: {
      because?: string
      details?: RefusalDetail[]
      retryAfterSeconds?: number
      cause?: unknown
    } = {},
  ) {
    super(options.because ?? REFUSALS[code].reader, { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
