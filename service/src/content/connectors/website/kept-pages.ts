import type { PageMemory, SourceItem } from '../connector.ts'
import { isIndexAddress } from './page-address.ts'
import type { VisitedPage } from './visit-page.ts'

/** The pages that became documents, one for each text. */
export interface KeptPages {
  count(): number
  isKept(address: string): boolean
  /**
   * Finds a place for a page. `isNew` says that it is to be a document; a page that stood there under a worse address is
   * then given up, and is the first of the items.
   */
  place(page: VisitedPage): { isNew: boolean; items: SourceItem[] }
}

export const memoryOf = (page: VisitedPage, externalId: string | undefined): PageMemory => ({
  ...page.memory,
  externalId,
  state: page.state,
})

/** Links of pages that stand in memory until the end of a crawl; of a page beyond these nothing is remembered if it loses its place. */
const MAX_LINKS_HELD = 2_000_000

export const skipped = (page: VisitedPage, reason: string): Extract<SourceItem, { kind: 'skipped' }> => ({
  kind: 'skipped',
  url: page.address,
  reason,
  memory: memoryOf(page, undefined),
})

/** Compares two addresses of one text: the start page first, then no query, no `index.html`, the shorter, the earlier. */
function isBetter(address: string, than: string, isRoot: (address: string) => boolean): boolean {
  const rank = (given: string) => {
    const url = new URL(given)
    return [
      isRoot(given) ? 0 : 1,
      url.search === '' ? 0 : 1,
      isIndexAddress(url.pathname) ? 1 : 0,
      given.length,
    ]
  }
  const mine = rank(address)
  const theirs = rank(than)
  const at = mine.findIndex((value, place) => value !== theirs[place])
  return at < 0 ? address < than : (mine[at] ?? 0) < (theirs[at] ?? 0)
}

export function createKeptPages(given: { isRoot: (address: string) => boolean }): KeptPages {
  const ofText = new Map<string, VisitedPage & { isWhole: boolean }>()
  let linksHeld = 0
  const kept = new Set<string>()

  return {
    count: () => kept.size,
    isKept: (address) => kept.has(address),
    place: (page) => {
      const { address, state } = page
      const twin = ofText.get(state.textHash)
      if (twin !== undefined && !isBetter(address, twin.address, given.isRoot)) {
        return { isNew: false, items: [skipped(page, `the same text as ${twin.address}`)] }
      }
      // The document itself is not needed any more, and thousands of them would be a lot of memory.
      linksHeld += state.links.length
      const isWhole = linksHeld <= MAX_LINKS_HELD
      const heldState = isWhole ? state : { ...state, links: [] }
      ofText.set(state.textHash, { ...page, state: heldState, document: undefined, isWhole })
      kept.add(address)
      if (twin === undefined) return { isNew: true, items: [] }
      kept.delete(twin.address)
      const gone = skipped(twin, `the same text as ${address}`)
      return { isNew: true, items: [twin.isWhole ? gone : { ...gone, memory: undefined }] }
    },
  }
}
