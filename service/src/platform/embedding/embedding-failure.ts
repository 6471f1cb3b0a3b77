/** A remote embedding service returned no vectors. The message may be shown to the operator. */
export class EmbeddingFailure extends Error {
  /** Whether a retry may help. */
  readonly isTransient: boolean
  /** The delay that the service asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    given: { isTransient: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: given.cause })
    this.name = 'EmbeddingFailure'
    this.isTransient = given.isTransient
    this.retryAfterMs = given.retryAfterMs
  }
}

const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504, 529]

/** `Retry-After` as seconds or as a date, in milliseconds from now. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const milliseconds = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

/** The error for a response other than 200. It quotes the start of the body, which usually names the wrong setting. */
export function failureOfAnswer(response: Response, body: string): EmbeddingFailure {
  const said = body.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return new EmbeddingFailure(
    `The embedding service answered ${response.status}${said === '' ? '' : `: ${said}`}`,
    {
      // When no money is left, waiting does not help.
      isTransient: TRANSIENT_STATUSES.includes(response.status) && !body.includes('insufficient_quota'),
      retryAfterMs: retryAfterOf(response.headers),
    },
  )
}
