import type { Client, SearchResult } from '@citewell/sdk'
import { failureOf, type Failure, type TellFailure } from './failure.ts'
import { startOf } from './start-of.ts'
import { createStore } from './store.ts'

/** A key that comes this many milliseconds and more after the one before it is searched at once; faster typing is searched in its pauses. */
const PAUSE_MS = 70

/** Results shown. */
const MOST_RESULTS = 8

export interface SearchState {
  /** What the results are for. */
  query: string
  results: readonly SearchResult[]
  isSearching: boolean
  /** Why there are no results for it. */
  failure: Failure | undefined
}

const NOTHING: SearchState = { query: '', results: [], isSearching: false, failure: undefined }

/** Searches while the reader types: at most one request per key, the one before is given up, old results stay until new ones come. */
export function createSearch(
  client: () => Promise<Client>,
  groupIds: readonly string[] | undefined,
  onFound: (count: number) => void,
  onFailed: TellFailure,
) {
  const store = createStore<SearchState>(NOTHING)
  let controller: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let typedAt = -PAUSE_MS

  async function search(query: string) {
    // What is asked before the service wants to be asked again is refused again.
    if ((store.get().failure?.retryAt ?? 0) > Date.now())
      return store.set({ query, results: [], isSearching: false })
    const mine = new AbortController()
    controller = mine
    store.set({ isSearching: true })
    try {
      const { results } = await (
        await client()
      ).search(query, {
        limit: MOST_RESULTS,
        groupIds,
        signal: mine.signal,
      })
      if (controller !== mine) return
      store.set({ query, results, isSearching: false, failure: undefined })
      onFound(results.length)
    } catch (error) {
      if (controller !== mine) return
      const failure = failureOf(error)
      store.set({ query, results: [], isSearching: false, failure })
      onFailed(failure)
    }
  }

  return {
    store,
    again: () => void search(store.get().query),
    type: (text: string) => {
      const query = startOf(text.trim(), 1_000)
      const hasPaused = performance.now() - typedAt >= PAUSE_MS
      typedAt = performance.now()
      clearTimeout(timer)
      // Also where the field has again what the results are for: what is under way is for something else.
      controller?.abort()
      controller = undefined
      if (query === '') store.set({ ...NOTHING, failure: store.get().failure })
      else if (query === store.get().query && !store.get().failure) store.set({ isSearching: false })
      else if (hasPaused) void search(query)
      else timer = setTimeout(() => void search(query), PAUSE_MS)
    },
  }
}
