import type { CDPSession } from 'playwright-core'

/** What a page can do without when only its text is wanted. */
const LEFT_OUT = new Set([
  'Image',
  'Media',
  'Font',
  'Manifest',
  'TextTrack',
  'Ping',
  'EventSource',
  'CSPViolationReport',
])

const MAX_REQUESTS = 200
const MAX_POSTS = 20

/** A request that waits in the browser for leave to be sent. */
interface PausedRequest {
  requestId: string
  frameId: string
  resourceType: string
  request: { url: string; method: string; headers: Record<string, string> }
}

/** The requests of one page: what it may send at all. Who may read what comes back is up to the browser. */
export interface PageRules {
  isAllowed(paused: PausedRequest): boolean
}

const headerOf = ({ request }: PausedRequest, name: string) =>
  Object.entries(request.headers).find(([given]) => given.toLowerCase() === name)?.[1]

export function createPageRules(page: string): PageRules {
  const { origin } = new URL(page)
  let requests = 0
  let posts = 0

  function isMethodAllowed(paused: PausedRequest): boolean {
    const { method, url } = paused.request
    if (method === 'GET' || method === 'HEAD') return true
    // What it asks leave for is looked at when it comes.
    if (method === 'OPTIONS')
      return /^(GET|HEAD|POST)$/.test(headerOf(paused, 'access-control-request-method') ?? '')
    const isOwn = new URL(url).origin === origin && headerOf(paused, 'origin') === origin
    if (method !== 'POST' || !isOwn) return false
    posts += 1
    return posts <= MAX_POSTS
  }

  return {
    isAllowed: (paused) => {
      const url = URL.parse(paused.request.url)
      if (url === null || !/^https?:$/.test(url.protocol)) return false
      if (LEFT_OUT.has(paused.resourceType)) return false
      // A page that leaves its site is another page, which has its own turn if it is part of the source.
      if (paused.resourceType === 'Document' && (url.origin !== origin || paused.request.method !== 'GET'))
        return false
      requests += 1
      return requests <= MAX_REQUESTS && isMethodAllowed(paused)
    },
  }
}

/** Lets requests out of a browser by the rules of the page that makes them. */
export interface RequestGate {
  /** Requests of this frame are judged by these rules until it is closed. */
  open(frameId: string, rules: PageRules): void
  close(frameId: string): void
}

/**
 * Stops every request of the whole browser: of frames, workers and whatever it asks for by itself. Those of no known page
 * (frames in it, popups, prerendered pages, shared workers) are not sent. Answers come to the browser as they are, so that
 * it keeps origins apart itself.
 */
export async function gateRequests(browser: CDPSession): Promise<RequestGate> {
  const rulesOf = new Map<string, PageRules>()
  browser.on('Fetch.requestPaused', (paused) => {
    const { requestId } = paused
    const isAllowed = rulesOf.get(paused.frameId)?.isAllowed(paused) === true
    const decided = isAllowed
      ? browser.send('Fetch.continueRequest', { requestId })
      : browser.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    // The page may be gone.
    decided.catch(() => {})
  })
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  return {
    open: (frameId, rules) => void rulesOf.set(frameId, rules),
    close: (frameId) => void rulesOf.delete(frameId),
  }
}
