/** Turns texts into vectors of one space. Vectors are compared only with vectors of the same `key`. */
export interface Embedder {
  /** Names everything that changes a vector: model, hash of the weights, dimensions, pooling, prefixes. */
  readonly key: string
  readonly dimensions: number
  /** Longest text in tokens that the model reads; what is longer is cut. */
  readonly maxTokens: number
  /** How many tokens the model makes of a text (an estimate for remote models). Quick, on the calling thread. */
  countTokens(text: string): number
  /** Unit-length vector of a question. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>
  /** Unit-length vectors of passages, in their order. Yields to queries: a query never waits for a whole batch. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  close(): Promise<void>
}
