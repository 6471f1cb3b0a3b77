import { MAX_ADDRESS_CHARACTERS } from './page-address.ts'

export interface FrontierEntry {
  address: string
  /** Links from a start page: 0 for the start page itself. */
  depth: number
  /** Redirects, meta refreshes and canonical links that were followed to get here without a page in between. */
  moves: number
  /** The page that named it; undefined for those of the source's settings. */
  namedBy: string | undefined
  /** When a sitemap says it was changed last. */
  lastmod: Date | undefined
}

/** Query strings of one path beyond this many are a trap (calendars, sessions), or a search page. */
const MAX_QUERIES_OF_A_PATH = 50

/** All addresses of a crawl stand in memory until its end: no more than these are taken up. */
const MAX_KNOWN = 300_000
const MAX_KNOWN_CHARACTERS = 40_000_000

/** The addresses of a crawl in the order they were found, each of them once. */
export interface PageFrontier {
  /** Takes an address up, unless it is known; returns why it is left out, where it is. */
  add(entry: FrontierEntry): string | undefined
  has(address: string): boolean
  next(): FrontierEntry | undefined
  /** How many were taken up, and how many of them wait. */
  known(): number
  waiting(): number
}

export function createPageFrontier(given: { maxDepth: number }): PageFrontier {
  const seen = new Set<string>()
  const queue: FrontierEntry[] = []
  let at = 0
  let characters = 0
  const queriesOfPath = new Map<string, number>()

  function leavesOut({ address, depth }: FrontierEntry): string | undefined {
    if (depth > given.maxDepth) return `more than ${given.maxDepth} links away from the start page`
    const query = address.indexOf('?')
    if (query < 0) return undefined
    const path = address.slice(0, query)
    const queries = (queriesOfPath.get(path) ?? 0) + 1
    queriesOfPath.set(path, queries)
    return queries > MAX_QUERIES_OF_A_PATH
      ? `more than ${MAX_QUERIES_OF_A_PATH} queries of one path`
      : undefined
  }

  return {
    add: (entry) => {
      if (seen.has(entry.address)) return undefined
      if (entry.address.length > MAX_ADDRESS_CHARACTERS)
        return `its address is longer than ${MAX_ADDRESS_CHARACTERS} characters`
      if (seen.size >= MAX_KNOWN || characters >= MAX_KNOWN_CHARACTERS)
        return 'the site has more addresses than one source can hold'
      seen.add(entry.address)
      characters += entry.address.length
      const reason = leavesOut(entry)
      if (reason === undefined) queue.push(entry)
      return reason
    },
    has: (address) => seen.has(address),
    next: () => {
      const entry = queue[at]
      if (entry !== undefined) at += 1
      return entry
    },
    known: () => queue.length,
    waiting: () => queue.length - at,
  }
}
