import type { TokenCounting } from './token-counter.ts'

/** A passage's vector, and one for each of its parts as they stand in it. All of unit length. */
export interface EmbeddedInParts {
  whole: Float32Array
  /** In the order of the parts; fewer where the end was cut off, none where the model gives one vector only. */
  parts: Float32Array[]
}

/** Turns texts into vectors of one space. Vectors are compared only with vectors of the same `key`. */
export interface Embedder {
  /** Names everything that changes a vector: model, hash of the weights, dimensions, pooling, prefixes. */
  readonly key: string
  readonly dimensions: number
  /** The one language that the model was trained on, e.g. `en`; undefined where it knows several, or nobody said. */
  readonly language: string | undefined
  /** Longest text in tokens that the model reads; what is longer is cut. */
  readonly maxTokens: number
  /** How many tokens the model makes of a text (an estimate for remote models). Quick, on the calling thread. */
  countTokens(text: string): number
  /** How, for other threads; undefined where only this one can. */
  readonly counting?: TokenCounting | undefined
  /** Unit-length vector of a question, which is remembered for the next time unless it must be forgotten. */
  embedQuery(text: string, signal?: AbortSignal, isForgotten?: boolean): Promise<Float32Array>
  /** Unit-length vectors of passages, in their order. Yields to queries: a query never waits for a whole batch. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Like `embedPassages`, of passages given in parts that stand apart by white space (a heading line, sentences): each part's
   * vector is the mean over its own tokens, read with the whole passage around them, and costs next to nothing more.
   */
  embedInParts(
    passages: readonly (readonly string[])[],
    signal?: AbortSignal,
    /** Whose passages they are (a knowledge base): those of different ones take turns. */
    line?: string,
  ): Promise<EmbeddedInParts[]>
  close(): Promise<void>
}

/** The same embedder, which remembers no question. */
export function forgetting(embedder: Embedder | undefined): Embedder | undefined {
  if (embedder === undefined) return undefined
  return { ...embedder, embedQuery: (text, signal) => embedder.embedQuery(text, signal, true) }
}
