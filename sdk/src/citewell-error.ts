/** The `error_code` of a failed answer, in the words of the service. */
export type ErrorCode =
  | 'quota_exceeded'
  | 'misconfigured'
  | 'rate_limited'
  | 'timeout'
  | 'unavailable'
  | 'internal'
  | 'content_filtered'
  | 'truncated'
  | 'cancelled'

/** One fault of a request: the field, and what is wrong with it. */
export interface ErrorDetail {
  path: string
  message: string
}

/** What a {@link CitewellError} is made of, besides its message. */
export interface ErrorFacts {
  code: string
  errorCode?: ErrorCode | undefined
  retryable?: boolean
  requestId?: string | undefined
  status?: number | undefined
  retryAfter?: number | undefined
  details?: readonly ErrorDetail[] | undefined
  cause?: unknown
}

/**
 * Everything that this SDK throws when a request fails. Its message is the service's own sentence where it sent one: it is written for the
 * reader and may be shown to them, as text.
 *
 * @example
 * catch (error) {
 *   if (error instanceof CitewellError && error.code === 'RATE_LIMITED') await wait(error.retryAfter)
 * }
 */
export class CitewellError extends Error {
  override name = 'CitewellError'
  /**
   * The service's code (`RATE_LIMITED`, `NOT_FOUND`, …), or one of this SDK's own: `CANCELLED` (aborted by the caller), `TIMEOUT`,
   * `UNREACHABLE` (no connection), `STREAM_CUT` (a stream ended without its last frame), `BAD_ANSWER` (not an answer of Citewell), and
   * `HTTP_502` or the like (an answer of something in between).
   */
  declare readonly code: string
  /** The kind of failure of an answer; undefined if the request was refused for another reason. */
  declare readonly errorCode: ErrorCode | undefined
  /** Whether the same request may succeed later. */
  declare readonly retryable: boolean
  /** The id under which the service logged the request. */
  declare readonly requestId: string | undefined
  /** The HTTP status; undefined if there was no response. */
  declare readonly status: number | undefined
  /** Seconds to wait before the next attempt, if the service said so. */
  declare readonly retryAfter: number | undefined
  /** The individual faults of the request, if the service listed them. */
  declare readonly details: readonly ErrorDetail[] | undefined

  constructor(message: string, facts: ErrorFacts) {
    const { cause, ...rest } = facts
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, { retryable: false }, rest)
  }
}

type Fields = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Whether a frame ends its stream with an error. Records may have an `error` as well, but no `code`. */
export const isErrorFrame = (frame: Fields): boolean =>
  typeof frame['error'] === 'string' && typeof frame['code'] === 'string'

/** The error of a frame `{error, code, error_code, retryable, request_id}`, or of the body of a response, with what its headers say. */
export function errorOfFrame(frame: Fields, response: Partial<ErrorFacts> = {}): CitewellError {
  const { details } = frame
  const code = textOf(frame['code']) ?? 'INTERNAL'
  return new CitewellError(textOf(frame['error']) ?? 'The answer failed.', {
    code,
    errorCode: (textOf(frame['error_code']) ?? kindOf(code, response.status)) as ErrorCode | undefined,
    retryable: frame['retryable'] === true,
    ...response,
    requestId: textOf(frame['request_id']) ?? response.requestId,
    details: Array.isArray(details) ? (details as ErrorDetail[]) : undefined,
  })
}

const KINDS: readonly string[] = ['quota_exceeded', 'rate_limited', 'internal', 'unavailable']

/** The kind of failure that a refused request amounts to. */
function kindOf(code: string, status = 0): string | undefined {
  if (status === 429) return 'rate_limited'
  const kind = code.toLowerCase()
  if (KINDS.includes(kind)) return kind
  return status >= 500 ? 'unavailable' : undefined
}

/** The error of a response that is not a success. A proxy's answer, which is not JSON, is judged by its status. */
export async function errorOfResponse(response: Response): Promise<CitewellError> {
  const { status, headers } = response
  let body: Fields = {}
  try {
    const read: unknown = await response.json()
    if (typeof read === 'object' && read !== null) body = read as Fields
  } catch {
    // Judged by the status.
  }
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return errorOfFrame(
    {
      error: `The service answered ${status}.`,
      code: `HTTP_${status}`,
      retryable: status === 429 || status >= 500,
      ...body,
    },
    {
      status,
      requestId: headers.get('x-request-id') ?? undefined,
      retryAfter: seconds >= 0 ? seconds : undefined,
    },
  )
}

/** The error of a request that the caller ended. */
export const cancelled = (cause?: unknown): CitewellError =>
  new CitewellError('The request was cancelled.', {
    code: 'CANCELLED',
    errorCode: 'cancelled',
    retryable: true,
    cause,
  })

/** The error of a failure below HTTP: whatever `fetch` or a stream threw. */
export const unreachable = (cause?: unknown, code = 'UNREACHABLE'): CitewellError =>
  cause instanceof CitewellError
    ? cause
    : new CitewellError('The connection to the service failed.', {
        code,
        errorCode: 'unavailable',
        retryable: true,
        cause,
      })

/** The error of a stream that ended without its last frame, by an error of the connection or without one. */
export const streamCut = (cause?: unknown): CitewellError => unreachable(cause, 'STREAM_CUT')

/** The error of an answer that is not in the format of Citewell. */
export const badAnswer = (cause?: unknown): CitewellError =>
  new CitewellError('The answer is not in the format of Citewell.', {
    code: 'BAD_ANSWER',
    errorCode: 'internal',
    cause,
  })
