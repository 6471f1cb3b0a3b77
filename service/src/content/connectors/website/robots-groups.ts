import { unescapeUnreserved } from './page-address.ts'

/** The rules of one robots.txt for one robot. */
export interface RobotsGroup {
  /** Patterns and whether they allow or forbid; the longest match counts. */
  rules: { pattern: string; isAllowed: boolean }[]
  crawlDelaySeconds: number
}

export interface RobotsFile {
  group: RobotsGroup
  sitemaps: string[]
}

const MAX_PATTERN_CHARACTERS = 2_048

/** Lines in a hostile file may be as long as the file. */
const MAX_LINE_CHARACTERS = 4_096

/** Parses robots.txt (RFC 9309) in one pass: the rules of all groups that name the robot, else those of the groups for `*`. */
export function readRobotsFile(text: string, robot: string): RobotsFile {
  const own: RobotsGroup = { rules: [], crawlDelaySeconds: 0 }
  const any: RobotsGroup = { rules: [], crawlDelaySeconds: 0 }
  const sitemaps: string[] = []
  let isNamed = false
  let groups = new Set<RobotsGroup>()
  let namesRobots = false

  for (const line of linesOf(text)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const word = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (word === 'user-agent') {
      // Consecutive user-agent lines share the rules that follow.
      if (!namesRobots) groups = new Set()
      const name = value.toLowerCase().split('/', 1)[0]?.trim()
      if (name === robot) groups.add(own)
      else if (name === '*') groups.add(any)
      isNamed ||= name === robot
      namesRobots = true
      continue
    }
    if (word === 'sitemap') {
      if (value !== '') sitemaps.push(value)
      continue
    }
    namesRobots = false
    for (const group of groups) {
      if (word === 'crawl-delay') group.crawlDelaySeconds = Math.max(0, Number(value) || 0)
      if ((word !== 'allow' && word !== 'disallow') || value === '') continue
      group.rules.push({ pattern: patternOf(value), isAllowed: word === 'allow' })
    }
  }
  return { group: isNamed ? own : any, sitemaps }
}

function* linesOf(text: string): Generator<string, void, void> {
  for (let at = 0; at < text.length;) {
    const newline = /\r\n?|\n/g
    newline.lastIndex = at
    const found = newline.exec(text)
    const end = found?.index ?? text.length
    const line = text.slice(at, Math.min(end, at + MAX_LINE_CHARACTERS))
    const comment = line.indexOf('#')
    yield comment < 0 ? line : line.slice(0, comment)
    at = end + (found?.[0].length ?? 1)
  }
}

const patternOf = (value: string): string => comparablePath(value.slice(0, MAX_PATTERN_CHARACTERS))

/**
 * A path or a pattern as they are compared: everything but ASCII is escaped, and so is what some addresses escape and others do not
 * (`[`, `|`); letters, digits and `-._~` are not (RFC 9309, 2.2.2).
 */
export function comparablePath(path: string): string {
  try {
    return unescapeUnreserved(encodeURI(path).replaceAll('%25', '%'))
  } catch {
    return path
  }
}
