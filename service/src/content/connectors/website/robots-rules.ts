import robotsParser from 'robots-parser'
import type { FetchPolitely } from './polite-fetch.ts'

/** What `robots.txt` calls this service. */
export const ROBOTS_NAME = 'citewell'

/** RFC 9309 asks for at least 500 kibibytes; what stands behind them is not read. */
const MAX_PARSED_BYTES = 512_000

/** A longer delay would keep a sync busy for days; it is shortened to this. */
const MAX_CRAWL_DELAY_SECONDS = 10

export interface RobotsRules {
  /** Why an address must not be read, or undefined when it may. `isTemporary`: not forbidden, only not known today. */
  forbids(url: string): { reason: string; isTemporary: boolean } | undefined
  /** Addresses of sitemaps, as they stand there. */
  sitemaps: string[]
  crawlDelayMs: number
}

/** For where robots.txt says nothing, or is not to be asked. */
export const NO_ROBOTS_RULES: RobotsRules = { forbids: () => undefined, sitemaps: [], crawlDelayMs: 0 }

const closed = (reason: string): RobotsRules => ({
  ...NO_ROBOTS_RULES,
  forbids: () => ({ reason, isTemporary: true }),
})

/** Characters of patterns with wildcards in one file; matching takes time in proportion, for each address. */
const MAX_WILDCARD_CHARACTERS = 20_000

/**
 * Keeps a hostile file from taking seconds for each address: patterns with wildcards beyond the limit are taken by what
 * stands before the first one, which forbids more than it says, and never allows more.
 */
function boundWildcards(text: string): string {
  let characters = 0
  return text
    .split(/\r\n?|\n/)
    .map((line) => {
      const star = line.indexOf('*')
      const isPattern = star >= 0 && /^\s*(dis)?allow\s*:/i.test(line)
      if (isPattern) characters += line.length
      if (!isPattern || characters <= MAX_WILDCARD_CHARACTERS) return line
      return /^\s*allow/i.test(line) ? '' : line.slice(0, star)
    })
    .join('\n')
}

/** Reads the text of a robots.txt that was found at `origin`. */
export function parseRobots(origin: string, text: string): RobotsRules {
  // The package of 2024 has no types for ES modules: its default export is the function itself.
  const rules = (robotsParser as unknown as typeof robotsParser.default)(
    `${origin}/robots.txt`,
    boundWildcards(text),
  )
  const delay = Math.min(rules.getCrawlDelay(ROBOTS_NAME) ?? 0, MAX_CRAWL_DELAY_SECONDS)
  return {
    forbids: (url) =>
      rules.isDisallowed(url, ROBOTS_NAME) && !url.endsWith('/robots.txt')
        ? { reason: 'robots.txt does not allow it', isTemporary: false }
        : undefined,
    sitemaps: rules.getSitemaps(),
    crawlDelayMs: Math.max(0, delay) * 1_000,
  }
}

/**
 * Asks an origin for its rules (RFC 9309): none when it says that there are none (4xx), nothing allowed while it cannot
 * say (5xx, 429, no answer).
 */
export async function readRobots(
  origin: string,
  namedBy: string | undefined,
  fetchPolitely: FetchPolitely,
): Promise<RobotsRules> {
  const answer = await fetchPolitely(`${origin}/robots.txt`, {
    namedBy,
    accept: 'text/plain,*/*;q=0.5',
    followRedirects: true,
    conditions: undefined,
    maxBytes: MAX_PARSED_BYTES * 10,
  })
  if (answer.kind === 'no-answer') return closed(answer.reason)
  if (answer.status >= 200 && answer.status < 300) {
    const bytes = answer.bytes.subarray(0, MAX_PARSED_BYTES)
    return parseRobots(origin, new TextDecoder().decode(bytes))
  }
  const isUnknown = answer.status >= 500 || answer.status === 429
  return isUnknown
    ? closed(`robots.txt answered ${answer.status}, so that nothing may be read for now`)
    : NO_ROBOTS_RULES
}
