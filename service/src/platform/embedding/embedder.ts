import type { Comparison } from './compare-pair.ts'
import type { TokenCounting } from './token-counter.ts'

/** The vector of a passage, and one for each of its parts in context. All of unit length. */
export interface EmbeddedInParts {
  whole: Float32Array
  /** In the order of the parts; fewer if the end was cut off, empty if the model only outputs one vector per text. */
  parts: Float32Array[]
}

/** Turns texts into vectors of one space. Only vectors with the same `key` are compared. */
export interface Embedder {
  /** Identifies everything that changes a vector: model, hash of the weights, dimensions, pooling, prefixes. */
  readonly key: string
  readonly dimensions: number
  /** The one language that the model was trained on, e.g. `en`; undefined if it knows several, or if this is unknown. */
  readonly language: string | undefined
  /** Maximum length in tokens of a text; the model ignores the rest. */
  readonly maxTokens: number
  /** Number of tokens of a text for the model (an estimate for remote models). Fast; runs on the calling thread. */
  countTokens(text: string): number
  /** Whether the model knows a word as a whole, so that it is hardly a misspelling; undefined if this cannot be told. */
  knowsWord?(word: string): boolean
  /** How rare a word is, 0 to 1; undefined if this cannot be told. */
  rarityOf?(word: string): number
  /** How to count tokens on other threads; undefined if only this thread can. */
  readonly counting?: TokenCounting | undefined
  /** Unit-length vector of a question. It is cached unless `skipsCache` is set. */
  embedQuery(text: string, signal?: AbortSignal, skipsCache?: boolean): Promise<Float32Array>
  /** Unit-length vectors of passages, in their order. Yields to queries: a query never waits for a whole batch. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Like `embedPassages`, for passages given in parts that are separated by white space (a heading line, sentences): each part's vector
   * is the mean over its own tokens in the context of the whole passage, at next to no extra cost.
   */
  embedInParts(
    passages: readonly (readonly string[])[],
    signal?: AbortSignal,
    /** Queue of the passages (a knowledge base): queues take turns. */
    line?: string,
  ): Promise<EmbeddedInParts[]>
  /**
   * Reads a question together with each passage, all given in parts that are separated by white space, in one pass for each passage. It
   * is cached unless `skipsCache` is set. Undefined for models whose numbers nobody weighed.
   */
  compare?(
    question: readonly string[],
    passages: readonly (readonly string[])[],
    signal?: AbortSignal,
    skipsCache?: boolean,
  ): Promise<Comparison[]>
  close(): Promise<void>
}

/** The same embedder without the cache of questions. */
export function withoutQueryCache(embedder: Embedder | undefined): Embedder | undefined {
  if (embedder === undefined) return undefined
  const { compare } = embedder
  return {
    ...embedder,
    embedQuery: (text, signal) => embedder.embedQuery(text, signal, true),
    ...(compare && { compare: (question, passages, signal) => compare(question, passages, signal, true) }),
  }
}
