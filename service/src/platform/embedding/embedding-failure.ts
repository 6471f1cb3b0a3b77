/** A remote embedding service gave no vectors. The message may be shown to whoever runs this service. */
export class EmbeddingFailure extends Error {
  /** Whether asking again may help. */
  readonly isPassing: boolean
  /** How long the service asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    given: { isPassing: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: given.cause })
    this.name = 'EmbeddingFailure'
    this.isPassing = given.isPassing
    this.retryAfterMs = given.retryAfterMs
  }
}

const PASSING_STATUSES = [408, 429, 500, 502, 503, 504, 529]

/** `Retry-After` as seconds or as a date, in milliseconds from now. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const milliseconds = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

/** What an answer other than 200 means. The body's beginning is repeated: it mostly says what is wrong in the settings. */
export function failureOfAnswer(response: Response, body: string): EmbeddingFailure {
  const said = body.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return new EmbeddingFailure(
    `The embedding service answered ${response.status}${said === '' ? '' : `: ${said}`}`,
    {
      // Without money left, waiting does not help.
      isPassing: PASSING_STATUSES.includes(response.status) && !body.includes('insufficient_quota'),
      retryAfterMs: retryAfterOf(response.headers),
    },
  )
}
