import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { createSharedSlots, type Slots } from '../../../platform/fairness/shared-slots.ts'
import { parseShareOf, SourceFailure, type ConnectorInput } from '../connector.ts'
import type { Parsing, ReadSitemap } from '../../parsing/parsing.ts'
import { createHostPace, type HostPace, type PaceReader } from './host-pace.ts'
import { createPoliteFetch, type FetchPolitely } from './polite-fetch.ts'
import type { PageRenderer } from './render-page.ts'
import { NO_ROBOTS_RULES, readRobots, type RobotsRules } from './robots-rules.ts'
import { createVisitPage, type VisitPage } from './visit-page.ts'

export interface WebDeps {
  outbound: Outbound
  parse: Parsing['parse']
  parseSitemap: Parsing['parseSitemap']
  /** For pages that need a browser. */
  renderer: Pick<PageRenderer, 'render' | 'unavailableReason'>
  /** Maximum concurrent requests to one host. */
  parallelPerHost: number
  now?: () => number
  random?: () => number
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Shared by the web connectors of one process: hosts are paced across all syncs. */
export interface Web {
  /** Opens the web for one sync; its resources are released at the end of `await using`. */
  open(given: WebReaderGiven): Promise<WebReader>
  now: () => number
}

interface WebReaderGiven {
  input: Pick<
    ConnectorInput<unknown>,
    'respectRobotsTxt' | 'signal' | 'recall' | 'owner' | 'isAwaited' | 'onLimit'
  >
  /** The addresses in the source's config. */
  named: readonly string[]
  contentSelector: string | undefined
  renderJs: 'auto' | boolean
  settings: string
}

/** Parses a sitemap found at an address, up to this many entries. */
export type ParseSitemap = (bytes: Uint8Array, url: string, maxEntries: number) => Promise<ReadSitemap>

export interface WebReader extends AsyncDisposable {
  visit: VisitPage
  fetchPolitely: FetchPolitely
  parseSitemap: ParseSitemap
  rulesOf(origin: string, namedBy: string | undefined): Promise<RobotsRules>
  /** What `ConnectorInput` has; does nothing where nobody is to be told. */
  onLimit: NonNullable<ConnectorInput<unknown>['onLimit']>
  signal: AbortSignal
  /** Permits for pages that may be fetched ahead. */
  ahead: Slots
}

const sleepUntilAborted = async (milliseconds: number, signal: AbortSignal) => {
  await sleep(milliseconds, undefined, { signal })
}

/** Pages that all crawls together may hold ahead of their current ones: bodies and documents take memory. */
const PAGES_AHEAD_OF_ALL = 48

export function createWeb(deps: WebDeps): Web {
  const { outbound, renderer } = deps
  const wait = deps.wait ?? sleepUntilAborted
  const now = deps.now ?? (() => performance.now())
  const random = deps.random ?? Math.random
  const ahead = createSharedSlots(PAGES_AHEAD_OF_ALL)
  const pace: HostPace = createHostPace({ maxConcurrent: deps.parallelPerHost, now, wait })

  async function open(given: WebReaderGiven): Promise<WebReader> {
    const { input, contentSelector, renderJs, settings } = given
    const unavailableReason = renderJs === false ? undefined : await renderer.unavailableReason()
    if (renderJs === true && unavailableReason !== undefined)
      throw new SourceFailure(`render_js is on, and no page can be opened in a browser: ${unavailableReason}`)

    const ending = new AbortController()
    const signal = AbortSignal.any([input.signal, ending.signal])
    const mine = ahead.open()
    const trail = outbound.openCrawl(given.named)
    const delays = new Map<string, number>()
    const reader: PaceReader = { signal, delayMs: (host) => delays.get(host) ?? 0 }
    const fetchPolitely = createPoliteFetch({ pace, wait, random, now }, { trail, reader })

    const onLimit: WebReader['onLimit'] = (limit, place) => input.onLimit?.(limit, place)
    const rules = new Map<string, Promise<RobotsRules>>()
    const rulesOf = async (origin: string, namedBy: string | undefined) => {
      if (!input.respectRobotsTxt) return NO_ROBOTS_RULES
      const known = rules.get(origin)
      if (known !== undefined) return await known
      const reading = readRobots(origin, namedBy, fetchPolitely)
      rules.set(origin, reading)
      const read = await reading
      for (const limit of read.limits) onLimit(limit, `${origin}/robots.txt`)
      if (read.crawlDelayMs > 0) delays.set(new URL(origin).host, read.crawlDelayMs)
      return read
    }

    const share = parseShareOf(input)
    const visit = createVisitPage({
      fetchPolitely,
      parse: (given, ending) => deps.parse(given, ending, share),
      render:
        unavailableReason === undefined
          ? async (address) => await renderer.render({ address, trail, owner: input.owner, signal })
          : async () => {
              throw new Error(
                `it has no text until its scripts have run, and they could not be run, because ${unavailableReason}`,
              )
            },
      rulesOf,
      recall: (address) => input.recall(address),
      onLimit,
      signal,
      contentSelector,
      renderJs,
      settings,
    })
    return {
      visit,
      fetchPolitely,
      parseSitemap: (bytes, url, maxEntries) =>
        deps.parseSitemap({ mediaType: 'application/xml', bytes, url }, maxEntries, signal, share),
      rulesOf,
      onLimit,
      signal,
      ahead: mine,
      [Symbol.asyncDispose]: async () => {
        ending.abort(new Error('The sync has ended.'))
        mine.close()
        await trail.close()
      },
    }
  }

  return { open, now }
}
