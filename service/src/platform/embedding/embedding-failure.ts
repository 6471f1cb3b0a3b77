/** Called when a call to the embedding model has ended, with all its attempts: with its failure, or without one if there were vectors. */
export type OnEmbeddingCall = (failure: { kind: string; message: string } | undefined) => void

/** A remote embedding service returned no vectors. The message may be shown to the operator. */
export class EmbeddingFailure extends Error {
  /** Whether a retry may help. */
  readonly isTransient: boolean
  /** The delay that the service asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** What may be kept of the message: what a service says may repeat the text that it was sent. */
  readonly keptReason: string

  constructor(
    message: string,
    given: {
      isTransient: boolean
      retryAfterMs?: number | undefined
      keptReason?: string
      cause?: unknown
    },
  ) {
    super(message, { cause: given.cause })
    this.keptReason = given.keptReason ?? message
    this.name = 'EmbeddingFailure'
    this.isTransient = given.isTransient
    this.retryAfterMs = given.retryAfterMs
  }
}

/** Statuses with which a service refuses a key, an account or a model: before it reads the texts. */
const REFUSED_BEFORE_READING = [401, 402, 403, 404, 429]

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
  const answered = `The embedding service answered ${response.status}`
  const message = said === '' ? answered : `${answered}: ${said}`
  return new EmbeddingFailure(message, {
    keptReason: REFUSED_BEFORE_READING.includes(response.status) ? message : answered,
    // When no money is left, waiting does not help.
    isTransient: TRANSIENT_STATUSES.includes(response.status) && !body.includes('insufficient_quota'),
    retryAfterMs: retryAfterOf(response.headers),
  })
}
