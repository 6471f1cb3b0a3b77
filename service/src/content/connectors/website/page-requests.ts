import type { CDPSession } from 'playwright-core'

/** Resource types that are not needed for the text of a page. */
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

/** A request that the browser has paused until it is allowed. */
interface PausedRequest {
  requestId: string
  frameId: string
  resourceType: string
  request: { url: string; method: string; headers: Record<string, string> }
}

/** Which requests a page may send. Who may read the responses is up to the browser (CORS). */
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
    // The request that a preflight asks permission for is checked when it comes.
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
      // Navigation to another site is another page, which is visited in its own turn if it is part of the source.
      if (paused.resourceType === 'Document' && (url.origin !== origin || paused.request.method !== 'GET'))
        return false
      requests += 1
      return requests <= MAX_REQUESTS && isMethodAllowed(paused)
    },
  }
}

/** Allows or blocks requests of a browser by the rules of the page that makes them. */
export interface RequestGate {
  /** Requests of this frame are checked by these rules until it is closed. */
  open(frameId: string, rules: PageRules): void
  close(frameId: string): void
}

/**
 * Intercepts every request of the whole browser: of frames, workers and the browser itself. Requests that belong to no known page (nested
 * frames, popups, prerendered pages, shared workers) are blocked. Responses are passed unmodified, so that the browser enforces the
 * same-origin policy.
 */
export async function gateRequests(browser: CDPSession): Promise<RequestGate> {
  const rulesOf = new Map<string, PageRules>()
  browser.on('Fetch.requestPaused', (paused) => {
    const { requestId } = paused
    const isAllowed = rulesOf.get(paused.frameId)?.isAllowed(paused) === true
    const decided = isAllowed
      ? browser.send('Fetch.continueRequest', { requestId })
      : browser.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    // The page may be closed.
    decided.catch(() => {})
  })
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  return {
    open: (frameId, rules) => void rulesOf.set(frameId, rules),
    close: (frameId) => void rulesOf.delete(frameId),
  }
}
