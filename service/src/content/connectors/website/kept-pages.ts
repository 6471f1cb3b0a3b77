import type { PageMemory, SourceItem } from '../connector.ts'
import { isIndexAddress } from './page-address.ts'
import type { VisitedPage } from './visit-page.ts'

/** The pages that became documents, one for each distinct text. */
export interface KeptPages {
  count(): number
  isKept(address: string): boolean
  /**
   * Decides on a page. `isNew`: it becomes a document; a page with the same text at a worse address is then dropped, and is the first of
   * the items.
   */
  place(page: VisitedPage): { isNew: boolean; items: SourceItem[] }
}

export const memoryOf = (page: VisitedPage, externalId: string | undefined): PageMemory => ({
  ...page.memory,
  externalId,
  state: page.state,
})

/** Maximum links of pages held in memory during a crawl; a page beyond this is not remembered if it is dropped. */
const MAX_LINKS_HELD = 2_000_000

export const skipped = (page: VisitedPage, reason: string): Extract<SourceItem, { kind: 'skipped' }> => ({
  kind: 'skipped',
  url: page.address,
  reason,
  memory: memoryOf(page, undefined),
})

/**
 * Compares two addresses of the same text: the start page wins, then the one without a query, without `index.html`, the shorter, the
 * alphabetically first.
 */
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
      if (twin !== undefined && !isBetter(address, twin.address, given.isRoot))
        return { isNew: false, items: [skipped(page, `the same text as ${twin.address}`)] }
      // The document itself is no longer needed, and thousands of them would take a lot of memory.
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
