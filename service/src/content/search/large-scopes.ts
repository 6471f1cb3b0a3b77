import { scopeKey, type SearchScope } from './search-scope.ts'

/** A scope seldom shrinks. If it does, the index still finds what is left. */
const KEPT_MS = 60_000
const MAX_KEPT = 1_000

/**
 * Scopes with so many passages that a search uses the vector index. Counting them for each search takes .6 ms of a core for 5,000 passages
 * on the embedded engine.
 */
export function createLargeScopes(now: () => number) {
  const kept = new Map<string, number>()

  return {
    has: (scope: SearchScope): boolean => now() < (kept.get(scopeKey(scope)) ?? 0),
    remember: (scope: SearchScope): void => {
      if (kept.size >= MAX_KEPT) kept.clear()
      kept.set(scopeKey(scope), now() + KEPT_MS)
    },
  }
}

export type LargeScopes = ReturnType<typeof createLargeScopes>
