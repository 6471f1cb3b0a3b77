import { yieldToEventLoop } from '../../../kernel/yield-to-event-loop.ts'
import type { Slots } from '../../../platform/fairness/shared-slots.ts'
import { SourceFailure, type SourceItem, type SourceItems } from '../connector.ts'
import type { CrawlScope } from './crawl-scope.ts'
import { createKeptPages, memoryOf, skipped } from './kept-pages.ts'
import { MAX_ADDRESS_CHARACTERS } from './page-address.ts'
import type { FrontierEntry, PageFrontier } from './page-frontier.ts'
import type { Visit, VisitedPage, VisitPage } from './visit-page.ts'

/** Maximum redirects, meta refreshes and canonical links in a row. */
const MAX_MOVES = 5

/** Pages that are fetched ahead of the current one; how many of them concurrently is decided by the host's pace. */
const LOOKAHEAD = 16

/** After this many pages in a row without an answer the site is considered down; continuing would take hours. */
const MAX_CONSECUTIVE_SILENT = 20

/** Documents of pages with a canonical address are kept until the end, up to this many; the rest is fetched again. */
const MAX_PARKED_DOCUMENTS = 50

/** Addresses outside of the source that are remembered, so that each is checked once. */
const MAX_LEFT_OUT = 20_000

export interface CrawlGiven {
  scope: CrawlScope
  frontier: PageFrontier
  visit: VisitPage
  /** Pages visited already to find out where the crawl begins; they are in the frontier. */
  visited: Map<string, Visit>
  followsLinks: boolean
  maxPages: number
  /** When the crawl has to be over, on the clock of `now`. */
  deadline: number
  now: () => number
  signal: AbortSignal
  /** Further pages that may be fetched ahead, shared with other crawls. */
  ahead: Slots
  onLeftOut: (url: string, reason: string) => void
  onLimit: (limit: string, place: string) => void
}

/** A page that can only be decided on when all others have been seen. */
interface Parked {
  entry: FrontierEntry
  page: VisitedPage
  /** The canonical address that the page names, within the source. */
  canonical: string | undefined
}

/**
 * Visits everything that can be reached, in the order in which it is found. Pages are fetched concurrently but processed one after another,
 * so that two crawls of an unchanged site give the same result.
 */
export async function* crawl(given: CrawlGiven): SourceItems {
  const { scope, frontier, visit, visited, signal } = given
  const kept = createKeptPages({ isRoot: (address) => scope.isRoot(address) })
  const parked: Parked[] = []
  const leftOut = new Map<string, string>()
  let consecutiveSilent = 0

  /** Adds an address that a page links to; returns the reason if it is left out. */
  function addAddress(entry: FrontierEntry): string | undefined {
    const known = leftOut.get(entry.address)
    if (known !== undefined || frontier.has(entry.address)) return known
    const reason = scope.exclusionReason(entry.address)?.reason ?? frontier.add(entry)
    if (reason === undefined) return undefined
    const isShort = entry.address.length <= MAX_ADDRESS_CHARACTERS
    if (isShort && leftOut.size < MAX_LEFT_OUT) leftOut.set(entry.address, reason)
    given.onLeftOut(entry.address, reason)
    return reason
  }

  async function addLinks(links: readonly string[], from: FrontierEntry): Promise<void> {
    if (!given.followsLinks) return
    for (const link of links) {
      // Most links of a page were already on the previous one.
      if (frontier.has(link) || leftOut.has(link)) continue
      await yieldToEventLoop()
      addAddress({
        address: scope.align(link),
        depth: from.depth + 1,
        moves: 0,
        namedBy: from.address,
        lastmod: undefined,
      })
    }
  }

  /** Adds the address that a page moved to; returns whether that is part of the source, and the reason to give for the page itself. */
  function move(
    entry: FrontierEntry,
    to: string | undefined,
    how: string,
  ): { isTaken: boolean; reason: string } {
    if (to === undefined) return { isTaken: false, reason: `${how} an address that cannot be read` }
    const address = scope.align(to)
    if (address === entry.address) return { isTaken: false, reason: `${how} itself` }
    if (entry.moves >= MAX_MOVES)
      return { isTaken: false, reason: `${how} ${address}, after too many redirects` }
    const out = addAddress({ ...entry, address, moves: entry.moves + 1, namedBy: entry.address })
    const isTaken = out === undefined
    return { isTaken, reason: isTaken ? `${how} ${address}` : `${how} ${address}, which is left out: ${out}` }
  }

  /** The canonical address of the page, if it is a different one within the source. */
  function canonicalOf({ address, state }: VisitedPage): string | undefined {
    const canonical = state.canonical === undefined ? undefined : scope.align(state.canonical)
    // If all pages name the start page, the template is wrong; real copies of it are detected by their text.
    const isBelieved = canonical !== undefined && canonical !== address && !scope.isRoot(canonical)
    return isBelieved && scope.exclusionReason(canonical) === undefined ? canonical : undefined
  }

  async function* keep(entry: FrontierEntry, page: VisitedPage): SourceItems {
    const place = kept.place(page)
    yield* place.items
    if (!place.isNew) return
    if (page.document === undefined && page.rememberedId === page.address) {
      yield { kind: 'unchanged', externalId: page.address, memory: memoryOf(page, page.address) }
      return
    }
    const read: Visit =
      page.document === undefined ? await visit(page.address, false, entry.namedBy) : { kind: 'page', page }
    if (read.kind === 'page' && read.page.document !== undefined) {
      const { address, document, modifiedAt } = read.page
      const memory = memoryOf(read.page, address)
      const changed = entry.lastmod ?? modifiedAt
      yield { kind: 'document', externalId: address, url: address, document, modifiedAt: changed, memory }
    } else if (read.kind === 'failed') yield failure(page.address, read)
  }

  async function* settlePage(entry: FrontierEntry, page: VisitedPage): SourceItems {
    const { state, address } = page
    await addLinks(state.links, entry)
    if (state.refresh !== undefined && state.refresh !== address) {
      yield skipped(page, move(entry, state.refresh, 'redirects by meta refresh to').reason)
      return
    }
    const out = scope.exclusionReason(address)
    if (out !== undefined) yield skipped(page, out.reason)
    else if (state.isNoindex) yield skipped(page, 'it asks not to be indexed (noindex)')
    else if (!scope.isIncluded(address))
      yield skipped(page, 'read for its links only: no include pattern matches')
    else if (state.textHash === '') yield skipped(page, 'it contains no text')
    else {
      const canonical = canonicalOf(page)
      const hasOther = canonical !== undefined && move(entry, canonical, 'its canonical address is').isTaken
      // Unchanged and not a document the last time: another page has the same text, if it still exists.
      const isLikelyCopy = page.document === undefined && page.rememberedId !== address
      if (!hasOther && !isLikelyCopy) yield* keep(entry, page)
      else {
        const isHeld = parked.length < MAX_PARKED_DOCUMENTS
        parked.push({
          entry,
          canonical: hasOther ? canonical : undefined,
          page: isHeld ? page : { ...page, document: undefined },
        })
      }
    }
  }

  async function* settle(entry: FrontierEntry, outcome: Visit): SourceItems {
    consecutiveSilent = outcome.kind === 'failed' && outcome.isSilence ? consecutiveSilent + 1 : 0
    if (consecutiveSilent >= MAX_CONSECUTIVE_SILENT && outcome.kind === 'failed')
      throw new SourceFailure(
        `The site stopped answering: ${consecutiveSilent} pages in a row could not be read. The last one, ${entry.address}: ${outcome.reason} What is indexed is kept; sync again when the site is up.`,
      )
    switch (outcome.kind) {
      case 'page':
        yield* settlePage(entry, outcome.page)
        break
      case 'moved':
        yield {
          kind: 'skipped',
          url: entry.address,
          reason: move(entry, outcome.to, 'redirects to').reason,
          memory: undefined,
        }
        break
      case 'skipped':
        yield { ...outcome, url: entry.address, memory: undefined }
        break
      case 'failed':
        await addLinks(outcome.state?.links ?? [], entry)
        yield failure(entry.address, outcome)
        break
    }
  }

  function checkTime(): void {
    signal.throwIfAborted()
    if (given.now() < given.deadline) return
    throw new SourceFailure(
      `The crawl reached its time limit: ${kept.count()} pages were read, and ${frontier.waiting()} more are waiting. Narrow the source with include and exclude, or set max_pages.`,
    )
  }

  const window: { entry: FrontierEntry; outcome: Promise<Visit> }[] = []
  const begin = (entry: FrontierEntry) => {
    const outcome = Promise.resolve(visited.get(entry.address) ?? visit(entry.address, true, entry.namedBy))
    // Awaited when it is its turn; a crawl that ends before that must not cause an unhandled rejection.
    outcome.catch(() => {})
    window.push({ entry, outcome })
  }

  // The current page needs no permit; those behind it do.
  let held = 0
  function mayBegin(): boolean {
    if (window.length <= held) return true
    if (!given.ahead.take()) return false
    held += 1
    return true
  }

  let discovered = 0
  while (kept.count() < given.maxPages) {
    while (window.length < LOOKAHEAD && frontier.waiting() > 0 && mayBegin()) {
      const entry = frontier.next()
      if (entry === undefined) break
      begin(entry)
    }
    const head = window.shift()
    if (held > 0) {
      held -= 1
      given.ahead.release()
    }
    if (head === undefined) break
    checkTime()
    yield* settle(head.entry, await head.outcome)
    if (frontier.known() > discovered) {
      discovered = frontier.known()
      yield { kind: 'discovered', count: discovered }
    }
  }

  for (const { entry, page, canonical } of parked) {
    checkTime()
    if (canonical !== undefined && kept.isKept(canonical))
      yield skipped(page, `its canonical address is ${canonical}`)
    else if (kept.count() < given.maxPages) yield* keep(entry, page)
  }
  const left = window.length + frontier.waiting()
  const first = window[0]?.entry ?? frontier.next()
  if (left > 0 && first !== undefined) {
    const reason = `the limit of ${given.maxPages} pages is reached (max_pages): it and ${left - 1} more addresses were not read`
    yield { kind: 'skipped', url: first.address, reason, memory: undefined }
    given.onLimit(
      `The limit max_pages (${given.maxPages.toLocaleString('en')}) is reached. Found and not read: ${left.toLocaleString('en')}. Raise it, or narrow the source.`,
      first.address,
    )
  }
}

const failure = (url: string, { reason, memory }: Extract<Visit, { kind: 'failed' }>): SourceItem => ({
  kind: 'failed',
  url,
  reason,
  externalId: url,
  memory,
})
