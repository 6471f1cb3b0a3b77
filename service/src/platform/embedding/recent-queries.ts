/** A cache (LRU) of what the model said of recent questions: the same ones recur, and a page of results asks twice. */
export function createRecentQueries<Said = Float32Array>(capacity: number) {
  const known = new Map<string, Said>()
  return {
    find(query: string): Said | undefined {
      const found = known.get(query)
      if (found === undefined) return undefined
      // A Map keeps insertion order: the first entry is the least recently used.
      known.delete(query)
      known.set(query, found)
      return found
    },
    remember(query: string, said: Said): void {
      known.set(query, said)
      const [oldest] = known.keys()
      if (known.size > capacity && oldest !== undefined) known.delete(oldest)
    },
  }
}
