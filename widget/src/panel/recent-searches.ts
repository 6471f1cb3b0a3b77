import { openStorage, type StorageKind } from './remembered.ts'

/** Most searches that are kept, and their greatest length in characters. */
const MOST = 5
const LONGEST = 200

/**
 * What the reader searched for and used: a search from which a page was opened or a question asked. Kept as long as the conversation
 * is; read with distrust, because another script of the site may have written it.
 */
export function createRecentSearches(kind: StorageKind, knowledgeBaseId: string) {
  const key = `citewell:searches:${knowledgeBaseId}`
  const withStorage = openStorage(kind)
  const list = (): string[] => {
    const kept = withStorage((storage) => JSON.parse(storage.getItem(key) ?? '[]') as unknown)
    return Array.isArray(kept)
      ? kept.filter((one): one is string => typeof one === 'string' && one.length <= LONGEST).slice(0, MOST)
      : []
  }
  return {
    list,
    add: (query: string) => {
      if (query.length > LONGEST) return
      const kept = [query, ...list().filter((one) => one !== query)].slice(0, MOST)
      withStorage((storage) => storage.setItem(key, JSON.stringify(kept)))
    },
    forget: () => withStorage((storage) => storage.removeItem(key)),
  }
}

export type RecentSearches = ReturnType<typeof createRecentSearches>
