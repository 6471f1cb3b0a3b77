import { availableParallelism } from 'node:os'
import { createHash } from 'node:crypto'
import { readComparison, type Comparison } from './compare-pair.ts'
import { isDefaultModel } from './default-model.ts'
import type { EmbeddedInParts, Embedder } from './embedder.ts'
import { startEmbeddingWorker, type EmbeddingClient } from './embedding-client.ts'
import type { OnEmbeddingCall } from './embedding-failure.ts'
import { embeddingKey, type LocalModel } from './local-model.ts'
import { createRecentQueries } from './recent-queries.ts'
import { readVocabulary } from './vocabulary.ts'
import { createWordPiece } from './word-piece.ts'

/** The tokens `[CLS]` and `[SEP]` around each text. */
const MARKERS = 2

const CACHED_QUERIES = 500
/** Comparisons of a question with a few passages take some 3 kB. */
const CACHED_COMPARISONS = 300

/** More threads gain next to nothing for texts of 200 tokens. */
const MAX_THREADS = 4

/**
 * All CPUs on small machines: idle threads sleep, and the operating system schedules the rest (measured on two CPUs: 1.6 times the
 * passages of one thread, other threads delayed by 3 ms at most).
 */
const threadsToUse = () => {
  const processors = availableParallelism()
  return Math.min(MAX_THREADS, processors <= 2 ? processors : processors - 1)
}

/** Splits the worker's reply: the vector of the whole text, followed by those of its parts. */
function inParts(vectors: Float32Array, dimensions: number): EmbeddedInParts {
  const count = vectors.length / dimensions
  const [whole = vectors, ...parts] = Array.from({ length: count }, (_, place) =>
    vectors.slice(place * dimensions, (place + 1) * dimensions),
  )
  return { whole, parts }
}

/** The worker, which tells how its calls end. A caller that has left says nothing of it. */
function watched(worker: EmbeddingClient, onCall: OnEmbeddingCall): EmbeddingClient['embed'] {
  return async (purpose, texts, signal, line) => {
    try {
      const vectors = await worker.embed(purpose, texts, signal, line)
      onCall(undefined)
      return vectors
    } catch (error) {
      if (signal?.aborted !== true)
        onCall({ kind: 'internal', message: 'The embedding model of this service failed.' })
      throw error
    }
  }
}

/**
 * An embedder on this machine's CPU, in its own worker thread.
 *
 * @throws EmbeddingUnusable when the model cannot be loaded here.
 */
export async function createLocalEmbedder(
  model: LocalModel,
  onCall: OnEmbeddingCall = () => {},
): Promise<Embedder> {
  const wordPiece = createWordPiece(await readVocabulary(model.tokenizerFolder))
  const worker = await startEmbeddingWorker(new URL('./embedding-worker.ts', import.meta.url), {
    model,
    threads: threadsToUse(),
  })
  const embed = watched(worker, onCall)
  const recentQueries = createRecentQueries(CACHED_QUERIES)
  const recentComparisons = createRecentQueries<Comparison[]>(CACHED_COMPARISONS)

  const compare: Embedder['compare'] = async (question, passages, signal, skipsCache = false) => {
    const asked = createHash('sha256')
      .update(JSON.stringify([question, passages]))
      .digest('base64')
    const known = recentComparisons.find(asked)
    if (known !== undefined) return known
    const pairs = passages.map((passage) => ({ question, passage }))
    const answers = pairs.length === 0 ? [] : await embed('passage', pairs, signal)
    const compared = answers.map((numbers, place) =>
      readComparison(numbers, { question: question.length, passage: passages[place]?.length ?? 0 }),
    )
    if (!skipsCache) recentComparisons.remember(asked, compared)
    return compared
  }

  return {
    key: embeddingKey(model),
    dimensions: model.dimensions,
    language: model.language,
    maxTokens: model.maxPieces - MARKERS - wordPiece.countPieces(model.passagePrefix),
    countTokens: (text) => wordPiece.countPieces(text),
    knowsWord: (word) => wordPiece.knows(word),
    rarityOf: (word) => wordPiece.rarityOf(word),
    counting: { kind: 'word-piece', tokenizerFolder: model.tokenizerFolder },
    async embedQuery(text, signal, skipsCache = false) {
      const known = recentQueries.find(text)
      if (known !== undefined) return known
      const [vector] = await embed('query', [text], signal)
      if (vector === undefined) throw new Error('The embedding worker returned no vector')
      if (!skipsCache) recentQueries.remember(text, vector)
      return vector
    },
    embedPassages: (texts, signal) =>
      texts.length === 0 ? Promise.resolve([]) : embed('passage', texts, signal),
    async embedInParts(passages, signal, line) {
      if (passages.length === 0) return []
      const answers = await embed('passage', passages, signal, line)
      return answers.map((vectors) => inParts(vectors, model.dimensions))
    },
    // How far its numbers can be trusted was measured with this model.
    ...(isDefaultModel(model) && { compare }),
    close: () => worker.close(),
  }
}
