import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure, type ConnectorInput } from '../connector.ts'
import type { Parsing, ReadSitemap } from '../../parsing/parsing.ts'
import { findChromium } from './find-chromium.ts'
import { createHostPace, type HostPace } from './host-pace.ts'
import { createPoliteFetch, type FetchPolitely } from './polite-fetch.ts'
import { createPageRenderer } from './render-page.ts'
import { NO_ROBOTS_RULES, readRobots, type RobotsRules } from './robots-rules.ts'
import { createVisitPage, type VisitPage } from './visit-page.ts'

export interface WebDeps {
  outbound: Outbound
  parse: Parsing['parse']
  parseSitemap: Parsing['parseSitemap']
  /** The browser for pages that need one; looked for in the usual places where it is undefined. */
  chromiumPath: string | undefined
  /** Requests at once on one host. */
  parallelPerHost: number
  now?: () => number
  random?: () => number
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** What the web connectors of one process share: hosts are paced across all syncs. */
export interface Web {
  /** Opens the web for one sync; what it holds is let go at the end of `await using`. */
  open(given: WebReaderGiven): Promise<WebReader>
  now: () => number
}

interface WebReaderGiven {
  input: Pick<ConnectorInput<unknown>, 'respectRobotsTxt' | 'signal' | 'recall' | 'share'>
  contentSelector: string | undefined
  renderJs: 'auto' | boolean
  settings: string
}

/** Reads a sitemap that was found at an address, up to so many entries. */
export type ParseSitemap = (bytes: Uint8Array, url: string, maxEntries: number) => Promise<ReadSitemap>

export interface WebReader extends AsyncDisposable {
  visit: VisitPage
  fetchPolitely: FetchPolitely
  parseSitemap: ParseSitemap
  rulesOf(origin: string): Promise<RobotsRules>
  signal: AbortSignal
}

const sleepUntilAborted = async (milliseconds: number, signal: AbortSignal) => {
  await sleep(milliseconds, undefined, { signal })
}

export function createWeb(deps: WebDeps): Web {
  const { outbound } = deps
  const wait = deps.wait ?? sleepUntilAborted
  const now = deps.now ?? (() => performance.now())
  const random = deps.random ?? Math.random
  const pace: HostPace = createHostPace({ atOnce: deps.parallelPerHost, now, wait })

  async function open({ input, contentSelector, renderJs, settings }: WebReaderGiven): Promise<WebReader> {
    const ending = new AbortController()
    const signal = AbortSignal.any([input.signal, ending.signal])
    const fetchPolitely = createPoliteFetch(
      { outbound, pace, wait, random, now },
      { chosenBy: 'web-page', signal },
    )

    const rules = new Map<string, Promise<RobotsRules>>()
    const rulesOf = async (origin: string) => {
      if (!input.respectRobotsTxt) return NO_ROBOTS_RULES
      const known = rules.get(origin)
      if (known !== undefined) return await known
      const reading = readRobots(origin, fetchPolitely)
      rules.set(origin, reading)
      const read = await reading
      if (read.crawlDelayMs > 0) pace.setDelay(new URL(origin).host, read.crawlDelayMs)
      return read
    }

    const chromium = renderJs === false ? undefined : await findChromium(deps.chromiumPath)
    if (renderJs === true && chromium === undefined) {
      throw new SourceFailure(
        'render_js is on, but no Chromium was found. Install Chromium on the machine of this service, or set render_js to "auto" or false.',
      )
    }
    const renderer = chromium === undefined ? undefined : createPageRenderer({ chromium, outbound })
    const visit = createVisitPage({
      fetchPolitely,
      parse: (given, ending) => deps.parse(given, ending, input.share),
      render: renderer?.render,
      rulesOf,
      recall: (address) => input.recall(address),
      signal,
      contentSelector,
      renderJs,
      settings,
    })
    return {
      visit,
      fetchPolitely,
      parseSitemap: (bytes, url, maxEntries) =>
        deps.parseSitemap({ mediaType: 'application/xml', bytes, url }, maxEntries, signal, input.share),
      rulesOf,
      signal,
      [Symbol.asyncDispose]: async () => {
        ending.abort(new Error('The sync has ended.'))
        await renderer?.[Symbol.asyncDispose]()
      },
    }
  }

  return { open, now }
}
