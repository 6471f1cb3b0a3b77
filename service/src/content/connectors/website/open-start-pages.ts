import { SourceFailure } from '../connector.ts'
import { directoryOfStart, type CrawlScope } from './crawl-scope.ts'
import { normaliseAddress } from './page-address.ts'
import type { PageFrontier } from './page-frontier.ts'
import type { Visit, VisitPage } from './visit-page.ts'

const MAX_MOVES = 5

const ADVICE: [RegExp, string][] = [
  [
    /robots\.txt/,
    'If the site is yours, allow "citewell" in its robots.txt, or switch off respect_robots_txt for this knowledge base.',
  ],
  [/Check the address|private network|metadata/, ''],
  [/404|410/, 'Check the address.'],
  [/401|403/, 'Pages behind a sign-in cannot be read; push their contents instead.'],
  [/redirect/, 'Give the final address instead.'],
]

const adviceFor = (reason: string) =>
  ADVICE.find(([about]) => about.test(reason))?.[1] ??
  'Check the address, and that this machine can reach it.'

const withStop = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

/** The address of a start page, which may be given without `https://`. */
export const startPageAddress = (start: string) =>
  normaliseAddress(start.includes('://') ? start : `https://${start}`)

/** Explains why a start page cannot begin a crawl; undefined if it can. */
function problemOf(visit: Visit): string | undefined {
  if (visit.kind === 'page') return undefined
  return visit.kind === 'moved' ? 'it redirects too many times, or in a circle' : visit.reason
}

const nextOf = (visit: Visit) =>
  visit.kind === 'moved' ? visit.to : visit.kind === 'page' ? visit.page.state.refresh : undefined

const linksOf = (visit: Visit): readonly string[] =>
  (visit.kind === 'page'
    ? visit.page.state.links
    : visit.kind === 'failed'
      ? visit.state?.links
      : undefined) ?? []

/**
 * Visits the start pages, follows their redirects, and initializes the crawl's scope and frontier. Throws a `SourceFailure`
 * if none of them can be read.
 *
 * @returns the visited pages, so that they are not fetched again
 */
export async function openStartPages(
  starts: readonly string[],
  given: { scope: CrawlScope; frontier: PageFrontier; visit: VisitPage },
): Promise<Map<string, Visit>> {
  const { scope, frontier, visit } = given
  const visited = new Map<string, Visit>()
  const problems: string[] = []
  let usable = 0

  for (const start of starts) {
    const first = startPageAddress(start)
    if (first === undefined) {
      problems.push(`${start} is not a web address.`)
      continue
    }
    let address = first
    let last = visited.get(first)
    let namedBy: string | undefined
    for (let moves = 0; last === undefined && moves <= MAX_MOVES; moves += 1) {
      const outcome = await visit(address, true, namedBy)
      visited.set(address, outcome)
      const next = nextOf(outcome)
      if (next === undefined || next === address || visited.has(next)) last = outcome
      else if (moves === MAX_MOVES) last = { kind: 'moved', to: next }
      else {
        namedBy = address
        address = next
      }
    }
    const problem = last === undefined ? undefined : problemOf(last)
    if (problem === undefined) usable += 1
    else
      problems.push(
        `The start page ${first} could not be read: ${withStop(problem)} ${adviceFor(problem)}`.trim(),
      )
    // A start page that failed is added too: the crawl reports why, and continues with its remembered links.
    const links = last === undefined ? [] : linksOf(last)
    scope.addRoot(address, directoryOfStart(address, links))
    if (address !== first && new URL(first).origin === new URL(address).origin) scope.addRoot(first)
    frontier.add({ address: first, depth: 0, moves: 0, namedBy: undefined, lastmod: undefined })
  }
  if (usable === 0) throw new SourceFailure(problems.join('\n'))
  return visited
}
