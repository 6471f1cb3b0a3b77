import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { OutboundFailure } from '../outbound/outbound-failure.ts'
import { EmbeddingFailure, failureOfAnswer, type OnEmbeddingCall } from './embedding-failure.ts'
import { toUnitLength } from './unit-length.ts'

/** An OpenAI-compatible service; its base URL is such as `https://api.example.com/v1`. */
export interface RemoteEmbeddingSettings {
  baseUrl: string
  apiKey: string | undefined
  model: string
}

export interface EmbeddingsEndpointDeps {
  /** `fetch` behind the SSRF guard. */
  fetch: (address: string, request: RequestInit) => Promise<Response>
  /** Waits; rejects early with the signal's reason when it is aborted. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  onCall?: OnEmbeddingCall | undefined
}

/** Timeout and number of retries of one request. */
export interface RetryPolicy {
  timeoutMs: number
  retries: number
}

/** The longest wait before a retry, even if `Retry-After` is longer. */
const MAX_WAIT_MS = 30_000
const FIRST_WAIT_MS = 500

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: z.array(z.number()).min(1) })),
})

/** The vectors in the order of the texts: the response may list them in another order, with an index. */
function vectorsOf(body: string, count: number): Float32Array[] {
  const answer = Answer.safeParse(parseJson(body))
  const byIndex = new Map(answer.data?.data.map(({ index, embedding }) => [index, embedding]))
  return Array.from({ length: count }, (_, index) => {
    const embedding = byIndex.get(index)
    if (embedding === undefined)
      throw new EmbeddingFailure('The embedding service answered without the requested vectors', {
        isTransient: false,
      })
    return toUnitLength(Float32Array.from(embedding))
  })
}

/** Exponential backoff with jitter, so that callers that failed together do not retry together. */
const waitBefore = (attempt: number, asked: number | undefined) =>
  Math.min(MAX_WAIT_MS, asked ?? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2))

function asFailure(error: unknown): EmbeddingFailure {
  if (error instanceof EmbeddingFailure) return error
  const isRefusedHere = error instanceof OutboundFailure && !error.isTransient
  const why = error instanceof Error ? error.message : String(error)
  return new EmbeddingFailure(`The embedding service could not be reached: ${why}`, {
    isTransient: !isRefusedHere,
    cause: error,
  })
}

/** `POST …/embeddings` of any OpenAI-compatible service, with bounded retries on 429, on 5xx and on broken connections. */
export function createEmbeddingsEndpoint(settings: RemoteEmbeddingSettings, deps: EmbeddingsEndpointDeps) {
  const address = `${settings.baseUrl.replace(/(?<!\/)\/+$/, '')}/embeddings`
  const headers = {
    'content-type': 'application/json',
    ...(settings.apiKey !== undefined && { authorization: `Bearer ${settings.apiKey}` }),
  }

  async function askOnce(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const body = JSON.stringify({ model: settings.model, input: texts })
    const response = await deps.fetch(address, { method: 'POST', headers, body, signal })
    const answer = await response.text()
    if (!response.ok) {
      // Some services repeat the key that they were sent: nobody may read it, in no log either.
      const said = settings.apiKey === undefined ? answer : answer.replaceAll(settings.apiKey, '[key]')
      throw failureOfAnswer(response, said)
    }
    return vectorsOf(answer, texts.length)
  }

  /** Unit-length vectors of the texts, in their order. Throws an `EmbeddingFailure`, or the signal's reason. */
  return async function ask(
    texts: readonly string[],
    retryPolicy: RetryPolicy,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await askOnce(texts, AbortSignal.any([signal, AbortSignal.timeout(retryPolicy.timeoutMs)]))
      } catch (error) {
        signal.throwIfAborted()
        const failure = asFailure(error)
        if (!failure.isTransient || attempt >= retryPolicy.retries) throw failure
        await deps.wait(waitBefore(attempt, failure.retryAfterMs), signal)
      }
    }
  }
}
