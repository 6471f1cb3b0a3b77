/** A cache (LRU) of the vectors of recent questions: the same ones recur, and a page of results asks twice. */
export function createRecentQueries(capacity: number) {
  const vectors = new Map<string, Float32Array>()
  return {
    find(query: string): Float32Array | undefined {
      const found = vectors.get(query)
      if (found === undefined) return undefined
      // A Map keeps insertion order: the first entry is the least recently used.
      vectors.delete(query)
      vectors.set(query, found)
      return found
    },
    remember(query: string, vector: Float32Array): void {
      vectors.set(query, vector)
      const [oldest] = vectors.keys()
      if (vectors.size > capacity && oldest !== undefined) vectors.delete(oldest)
    },
  }
}
