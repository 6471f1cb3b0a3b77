import { isNeverDocument } from '../document-types.ts'
import { addressPatterns } from '../glob.ts'
import { directoryOf } from './page-address.ts'

/** The boundaries of a crawl. */
export interface CrawlScope {
  /** The origins of the start pages, in order. */
  origins(): string[]
  /** Adds a start page: everything in the directory of this address is part of the source. */
  addRoot(address: string, directory?: string): void
  isRoot(address: string): boolean
  /** The address with the scheme of its host's start page, so that a site served over http and https is not crawled twice. */
  align(address: string): string
  /** Why an address is not part of the source; undefined if it is. */
  exclusionReason(address: string): ScopeReason | undefined
  /** Whether a page becomes a document, rather than only being read for its links. */
  isIncluded(address: string): boolean
}

interface ScopeReason {
  reason: string
  /** Never part of the source at all: images, other hosts. A sync does not report these. */
  isForeign: boolean
}

/** Copies of the pages' sources that documentation generators publish beside them. */
const SOURCE_COPIES = /\/_sources\//

/** Minimum number of links below an address without a trailing slash for it to count as a directory. */
const LINKS_OF_A_DIRECTORY = 3

/**
 * The directory of a start page: its path up to the last slash, or the whole path if the page's own links show that it is a directory
 * (`/docs` with links to `/docs/a`, `/docs/b`).
 */
export function directoryOfStart(address: string, links: readonly string[]): string {
  const below = `${address}/`
  const isDirectory =
    !address.endsWith('/') && links.filter((link) => link.startsWith(below)).length >= LINKS_OF_A_DIRECTORY
  const { pathname } = new URL(address)
  return isDirectory ? `${pathname}/` : directoryOf(pathname)
}

export function createCrawlScope(given: {
  include: readonly string[]
  exclude: readonly string[]
}): CrawlScope {
  const roots: { address: string; origin: string; directory: string }[] = []
  const include = addressPatterns(given.include)
  const exclude = addressPatterns(given.exclude)
  const hasWholeAddresses = given.include.some((pattern) => /^https?:\/\//.test(pattern.trim()))

  const isRoot = (address: string) => roots.some((root) => root.address === address)
  const matchesInclude = (url: URL) => include.find(url) !== undefined

  function exclusionByDirectory(url: URL): ScopeReason | undefined {
    const here = roots.filter(({ origin }) => origin === url.origin)
    const isNamed = hasWholeAddresses && matchesInclude(url)
    if (here.length === 0 && !isNamed) return { reason: `on another host (${url.host})`, isForeign: true }
    if (given.include.length > 0)
      return matchesInclude(url) ? undefined : { reason: 'no include pattern matches', isForeign: true }
    if (here.some(({ directory }) => url.pathname.startsWith(directory))) return undefined
    const places = [...new Set(here.map(({ directory }) => directory))].join(', ')
    return { reason: `outside of ${places}`, isForeign: true }
  }

  return {
    origins: () => [...new Set(roots.map(({ origin }) => origin))],
    addRoot: (address, directory) => {
      const url = new URL(address)
      roots.push({ address, origin: url.origin, directory: directory ?? directoryOf(url.pathname) })
    },
    isRoot,
    align: (address) => {
      const url = new URL(address)
      if (url.port !== '' || roots.some(({ origin }) => origin === url.origin)) return address
      const other = url.protocol === 'http:' ? 'https:' : 'http:'
      const twin = `${other}//${url.host}`
      return roots.some(({ origin }) => origin === twin) ? twin + address.slice(url.origin.length) : address
    },
    exclusionReason: (address) => {
      const url = new URL(address)
      if (!isRoot(address)) {
        const byPlace = exclusionByDirectory(url)
        if (byPlace !== undefined) return byPlace
        if (isNeverDocument(url.pathname)) return { reason: 'not a document', isForeign: true }
        if (SOURCE_COPIES.test(url.pathname)) return { reason: 'the source text of a page', isForeign: true }
      }
      const pattern = exclude.find(url)
      return pattern === undefined
        ? undefined
        : { reason: `excluded by the pattern ${pattern}`, isForeign: false }
    },
    isIncluded: (address) => given.include.length === 0 || matchesInclude(new URL(address)),
  }
}
