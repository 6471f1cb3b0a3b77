import { scopeKey, type SearchScope } from './search-scope.ts'
import { countReadablePages, type SearchDb } from './search-store.ts'

/** Counts are kept for this long: only their order of magnitude matters. A base of few pages may be growing. */
const KEPT_MS = { few: 5_000, many: 60_000 }
const MANY_PAGES = 200
const MAX_KEPT = 1_000

/**
 * Counts the pages of a scope, up to `MAX_PAGES_COUNTED`, and keeps the count for a while: counting 2,300 takes 3 ms on the embedded
 * engine.
 */
export function createPageCounter(db: SearchDb, now: () => number) {
  const kept = new Map<string, { pages: number; until: number }>()

  return async (scope: SearchScope): Promise<number> => {
    const key = scopeKey(scope)
    const known = kept.get(key)
    if (known !== undefined && now() < known.until) return known.pages
    const pages = await countReadablePages(db, scope)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, { pages, until: now() + (pages < MANY_PAGES ? KEPT_MS.few : KEPT_MS.many) })
    return pages
  }
}
