import { createCircuitBreaker, type BreakerSettings } from '../llm/circuit-breaker.ts'
import type { Embedder } from './embedder.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import {
  createEmbeddingsEndpoint,
  type EmbeddingsEndpointDeps,
  type RetryPolicy,
  type RemoteEmbeddingSettings,
} from './embeddings-endpoint.ts'
import { createRecentQueries } from './recent-queries.ts'
import { countByBytes } from './token-counter.ts'

/** A caller waits for a question's vector; a sync can wait until a rate limit is over. */
const QUERY: RetryPolicy = { timeoutMs: 5_000, retries: 1 }
const PASSAGES: RetryPolicy = { timeoutMs: 60_000, retries: 6 }

/** After three questions in vain the next ones wait for nothing: their words alone are searched, and one in ten seconds tries again. */
const BREAKER: BreakerSettings = { failures: 3, withinMs: 120_000, probeAfterMs: 10_000 }

/** The smallest batch limit found among such services (self-hosted ones accept 32 texts per request). */
const TEXTS_PER_REQUEST = 32
const CONCURRENT_REQUESTS = 4
const CACHED_QUERIES = 500

/** Maximum length of a passage in tokens. The models behind such services read 512 tokens or more. */
const MAX_TOKENS = 512

/** Tokenizers differ; four bytes of UTF-8 per token is a good estimate for English, code and Chinese. */
const BYTES_PER_TOKEN = 4

const countTokens = countByBytes(BYTES_PER_TOKEN)

/** Truncated without splitting a character: some services refuse a longer text instead of cutting it. */
function cutToFit(text: string): string {
  if (countTokens(text) <= MAX_TOKENS) return text
  const cut = Buffer.from(text)
    .subarray(0, MAX_TOKENS * BYTES_PER_TOKEN)
    .toString('utf8')
  return cut.replace(/\uFFFD$/, '')
}

/** Some services refuse an empty text; a space replaces it. */
const asInput = (text: string) => (text === '' ? ' ' : cutToFit(text))

const NEVER = new AbortController().signal

export interface RemoteEmbedderDeps extends EmbeddingsEndpointDeps {
  /** Monotonic milliseconds. */
  now?: () => number
}

/** Begins the key of every vector of this model, whatever its dimensions. */
export const keyPrefixOf = ({ model, baseUrl }: RemoteEmbeddingSettings): string =>
  `${model}@${new URL(baseUrl).host}:`

const failureKind = (failure: EmbeddingFailure) => (failure.isTransient ? 'unavailable' : 'misconfigured')

/**
 * An embedder behind an OpenAI-compatible address. It first requests one vector, to determine the number of dimensions.
 *
 * @throws EmbeddingFailure when that does not succeed.
 */
export async function createRemoteEmbedder(
  settings: RemoteEmbeddingSettings,
  deps: RemoteEmbedderDeps,
): Promise<Embedder> {
  const ask = createEmbeddingsEndpoint(settings, deps)
  try {
    const [probe] = await ask(['dimensions'], QUERY, NEVER)
    deps.onCall?.(undefined)
    return remoteEmbedder(settings, deps, probe?.length ?? 0)
  } catch (error) {
    if (error instanceof EmbeddingFailure)
      deps.onCall?.({ kind: failureKind(error), message: error.keptReason })
    throw error
  }
}

/** The same of a service that has not been asked yet, whose number of dimensions is known from before. */
export function remoteEmbedder(
  settings: RemoteEmbeddingSettings,
  deps: RemoteEmbedderDeps,
  dimensions: number,
): Embedder {
  const breaker = createCircuitBreaker(deps.now ?? (() => performance.now()), BREAKER)
  const ask = createEmbeddingsEndpoint(settings, deps)
  const recentQueries = createRecentQueries(CACHED_QUERIES)

  async function askFor(texts: readonly string[], retryPolicy: RetryPolicy, signal: AbortSignal | undefined) {
    const vectors = await ask(texts.map(asInput), retryPolicy, signal ?? NEVER)
    if (vectors.some((vector) => vector.length !== dimensions))
      throw new EmbeddingFailure(
        `The embedding service no longer returns vectors of ${dimensions} dimensions`,
        { isTransient: false },
      )
    return vectors
  }

  async function askAndTell(...given: Parameters<typeof askFor>) {
    try {
      const vectors = await askFor(...given)
      breaker.succeeded()
      deps.onCall?.(undefined)
      return vectors
    } catch (error) {
      // Otherwise its caller has left.
      if (error instanceof EmbeddingFailure) {
        // What is refused at once costs no time.
        if (error.isTransient) breaker.failed()
        deps.onCall?.({ kind: failureKind(error), message: error.keptReason })
      }
      throw error
    }
  }

  async function embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const starts = Array.from(
      { length: Math.ceil(texts.length / TEXTS_PER_REQUEST) },
      (_, request) => request * TEXTS_PER_REQUEST,
    )
    const answers = new Map<number, Float32Array[]>()
    // Each loop takes the next batch when it has finished one.
    const askInTurn = async () => {
      for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
        answers.set(start, await askAndTell(texts.slice(start, start + TEXTS_PER_REQUEST), PASSAGES, signal))
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, askInTurn))
    return [...answers].sort(([left], [right]) => left - right).flatMap(([, vectors]) => vectors)
  }

  return {
    key: `${keyPrefixOf(settings)}${dimensions}`,
    dimensions,
    language: undefined,
    maxTokens: MAX_TOKENS,
    countTokens,
    counting: { kind: 'bytes', perToken: BYTES_PER_TOKEN },
    async embedQuery(text, signal, skipsCache = false) {
      const known = recentQueries.find(text)
      if (known !== undefined) return known
      if (!breaker.admits()) {
        const because = 'The embedding service failed several times in a row and is not asked for a moment'
        throw new EmbeddingFailure(because, { isTransient: true })
      }
      const [vector = new Float32Array(dimensions)] = await askAndTell([text], QUERY, signal)
      if (!skipsCache) recentQueries.remember(text, vector)
      return vector
    },
    embedPassages,
    async embedInParts(passages, signal) {
      const vectors = await embedPassages(
        passages.map((parts) => parts.join('\n')),
        signal,
      )
      return vectors.map((whole) => ({ whole, parts: [] }))
    },
    close: () => Promise.resolve(),
  }
}
