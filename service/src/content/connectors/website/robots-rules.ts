import type { FetchPolitely } from './polite-fetch.ts'
import { comparablePath, readRobotsFile } from './robots-groups.ts'
import { matchesRobotsPattern } from './robots-match.ts'

/** The user agent of this service in `robots.txt`. */
export const ROBOTS_NAME = 'citewell'

/** RFC 9309 requires at least 500 kibibytes; the rest is ignored. */
const MAX_PARSED_BYTES = 512_000
const LONG_FILE = `Of robots.txt the first ${MAX_PARSED_BYTES / 1_000} kB are obeyed.`

/** A longer delay would keep a sync busy for days; it is shortened to this. */
const MAX_CRAWL_DELAY_SECONDS = 10

export interface RobotsRules {
  /** Why an address must not be read; undefined if it may. `isTemporary`: not forbidden, but the rules are currently unknown. */
  forbids(url: string): { reason: string; isTemporary: boolean } | undefined
  /** Addresses of sitemaps, as written there. */
  sitemaps: string[]
  crawlDelayMs: number
  /** What limits left out of the file: see `ConnectorInput.onLimit`. */
  limits: string[]
}

/** For sites without a robots.txt, or sources that ignore it. */
export const NO_ROBOTS_RULES: RobotsRules = {
  forbids: () => undefined,
  sitemaps: [],
  crawlDelayMs: 0,
  limits: [],
}

const closed = (reason: string): RobotsRules => ({
  ...NO_ROBOTS_RULES,
  forbids: () => ({ reason, isTemporary: true }),
})

/** Limit on the wildcard patterns of one file: matching time is proportional, for each address. */
const MAX_WILDCARD_CHARACTERS = 5_000
const MANY_WILDCARDS = `Of the patterns with a star in robots.txt the first ${MAX_WILDCARD_CHARACTERS.toLocaleString('en')} characters are obeyed as written: further ones forbid all that begins like them.`

interface Rule {
  pattern: string
  isAllowed: boolean
}

/**
 * Keeps a hostile file from taking seconds for each address: wildcard patterns beyond the limit are cut before their first wildcard, so
 * that they forbid more than written, and never allow more.
 */
function boundWildcards(rules: readonly Rule[]): { bounded: Rule[]; isCut: boolean } {
  let characters = 0
  const bounded = rules.flatMap((rule) => {
    const star = rule.pattern.indexOf('*')
    if (star >= 0) characters += rule.pattern.length
    if (star < 0 || characters <= MAX_WILDCARD_CHARACTERS) return rule
    return rule.isAllowed ? [] : { ...rule, pattern: rule.pattern.slice(0, star) }
  })
  return { bounded, isCut: characters > MAX_WILDCARD_CHARACTERS }
}

/** The longest pattern counts; of two equally long ones, the one that allows. */
function isForbidden(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined
  for (const rule of rules) {
    const isBetter =
      best === undefined ||
      rule.pattern.length > best.pattern.length ||
      (rule.pattern.length === best.pattern.length && rule.isAllowed)
    if (isBetter && matchesRobotsPattern(rule.pattern, path)) best = rule
  }
  return best?.isAllowed === false
}

/** Parses a robots.txt that was found at `origin`. */
export function parseRobots(origin: string, text: string): RobotsRules {
  const { group, sitemaps } = readRobotsFile(text, ROBOTS_NAME)
  const { bounded: rules, isCut } = boundWildcards(group.rules)
  return {
    forbids: (address) => {
      const url = URL.parse(address)
      if (url === null || url.origin !== origin || url.pathname === '/robots.txt') return undefined
      return isForbidden(rules, comparablePath(url.pathname + url.search))
        ? { reason: 'robots.txt does not allow it', isTemporary: false }
        : undefined
    },
    sitemaps,
    crawlDelayMs: Math.min(group.crawlDelaySeconds, MAX_CRAWL_DELAY_SECONDS) * 1_000,
    limits: isCut ? [MANY_WILDCARDS] : [],
  }
}

/**
 * Fetches an origin's rules (RFC 9309): none if there is no robots.txt (4xx), everything forbidden while it is unavailable (5xx, 429, no
 * answer).
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
    const rules = parseRobots(origin, new TextDecoder().decode(bytes))
    const isCut = bytes.length < answer.bytes.length
    return isCut ? { ...rules, limits: [LONG_FILE, ...rules.limits] } : rules
  }
  const isUnknown = answer.status >= 500 || answer.status === 429
  return isUnknown
    ? closed(`robots.txt answered ${answer.status}, so nothing may be read until it is available`)
    : NO_ROBOTS_RULES
}
