import type { Embedder } from '../src/platform/embedding/embedder.ts'

/** An embedding model that fails on each text. */
export function failingEmbedder(failureOf: (text: string) => Error): Embedder {
  const fail = (text = '') => Promise.reject(failureOf(text))
  return {
    key: 'failing',
    dimensions: 384,
    language: 'en',
    maxTokens: 256,
    countTokens: (text) => text.length,
    embedQuery: fail,
    embedPassages: ([first]) => fail(first),
    embedInParts: ([first]) => fail(first?.join(' ')),
    close: () => Promise.resolve(),
  }
}
