import { MAX_ADDRESS_CHARACTERS } from './page-address.ts'

export interface FrontierEntry {
  address: string
  /** Number of links from a start page: 0 for the start page itself. */
  depth: number
  /** Redirects, meta refreshes and canonical links followed in a row to get here. */
  moves: number
  /** The page that links to it; undefined for addresses in the source's config. */
  namedBy: string | undefined
  /** When it was last changed, according to a sitemap. */
  lastmod: Date | undefined
}

/** More query strings of one path than this are a crawler trap (calendars, sessions), or a search page. */
const MAX_QUERIES_OF_A_PATH = 50

/** All addresses of a crawl are held in memory until its end, so their number is limited. */
const MAX_KNOWN = 300_000
const MAX_KNOWN_CHARACTERS = 40_000_000

/** The addresses of a crawl in the order they were found, each once. */
export interface PageFrontier {
  /** Adds an address, unless it is known; returns the reason if it is left out. */
  add(entry: FrontierEntry): string | undefined
  has(address: string): boolean
  next(): FrontierEntry | undefined
  /** How many were added, and how many of them wait. */
  known(): number
  waiting(): number
}

export function createPageFrontier(given: {
  maxDepth: number
  /** The owner chose `maxDepth`, and knows of it. */
  isDepthChosen: boolean
  /** Called for addresses that a limit of this service leaves out. */
  onLimit: (limit: string, place: string) => void
}): PageFrontier {
  const seen = new Set<string>()
  const queue: FrontierEntry[] = []
  let at = 0
  let characters = 0
  const queriesOfPath = new Map<string, number>()

  function atLimit(address: string, reason: string): string {
    given.onLimit(`Addresses were left out: ${reason}.`, address.slice(0, MAX_ADDRESS_CHARACTERS))
    return reason
  }

  function exclusionReason({ address, depth }: FrontierEntry): string | undefined {
    if (depth > given.maxDepth) {
      const reason = `more than ${given.maxDepth} links away from the start page`
      return given.isDepthChosen ? reason : atLimit(address, reason)
    }
    const query = address.indexOf('?')
    if (query < 0) return undefined
    const path = address.slice(0, query)
    const queries = (queriesOfPath.get(path) ?? 0) + 1
    queriesOfPath.set(path, queries)
    return queries > MAX_QUERIES_OF_A_PATH
      ? atLimit(address, `more than ${MAX_QUERIES_OF_A_PATH} queries of one path`)
      : undefined
  }

  return {
    add: (entry) => {
      if (seen.has(entry.address)) return undefined
      if (entry.address.length > MAX_ADDRESS_CHARACTERS)
        return atLimit(entry.address, `an address is longer than ${MAX_ADDRESS_CHARACTERS} characters`)
      if (seen.size >= MAX_KNOWN || characters >= MAX_KNOWN_CHARACTERS)
        return atLimit(entry.address, 'the site has more addresses than the limit of one source')
      seen.add(entry.address)
      characters += entry.address.length
      const reason = exclusionReason(entry)
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
