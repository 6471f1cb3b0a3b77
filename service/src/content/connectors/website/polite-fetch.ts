import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import type { OutboundResponse } from '../../../platform/outbound/outbound-response.ts'
import type { CrawlOutbound } from '../../../platform/outbound/crawl-outbound.ts'
import { readRateHeaders } from '../rest/read-rate-headers.ts'
import type { HostPace, PaceReader } from './host-pace.ts'

/** A response with its body, which is empty if it was not wanted. */
export interface PoliteAnswer {
  kind: 'answer'
  status: number
  headers: Headers
  url: URL
  bytes: Uint8Array
}

interface NoAnswer {
  kind: 'no-answer'
  /** A readable reason for the owner of the source. */
  reason: string
}

interface PoliteRequest {
  /** The page that links to the address; undefined if the source's config names it. */
  namedBy: string | undefined
  accept: string
  followRedirects: boolean
  /** Validators of the known version, to allow a 304. */
  conditions: { etag: string | undefined; lastModified: string | undefined } | undefined
  maxBytes: number
  /** Decides by the headers whether the body of a 200 is read. Default: every body is. */
  isWanted?: (headers: Headers) => boolean
}

/** Fetches one address in its host's turn, with retries where they may help. Throws only if aborted. */
export type FetchPolitely = (address: string, request: PoliteRequest) => Promise<PoliteAnswer | NoAnswer>

export interface PoliteFetchDeps {
  pace: HostPace
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1, for the jitter. */
  random: () => number
  now: () => number
}

const TRIES = 4

/** A host that let a request time out is not likely to be quicker soon, so it gets fewer tries. */
const TRIES_AFTER_TIMEOUT = 2

const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 10_000

/** A host with a longer Retry-After is left to the next sync. */
const MAX_RETRY_AFTER_MS = 60_000

const PAGE_TIMEOUT_MS = 30_000

/** Whether an answer says nothing of the page: another one may follow. */
export const isTemporaryStatus = (status: number): boolean =>
  status === 429 || status === 408 || status === 425 || status >= 500

/** Milliseconds. A date is one of the calendar, and not on the clock that measures the pace. */
const retryAfterOf = (headers: Headers): number | undefined =>
  headers.has('retry-after') ? readRateHeaders(headers, Date.now()).waitMs : undefined

export function createPoliteFetch(
  deps: PoliteFetchDeps,
  given: { trail: Pick<CrawlOutbound, 'fetch'>; reader: PaceReader },
): FetchPolitely {
  const { pace, wait, random, now } = deps
  const { trail, reader } = given
  const { signal } = reader

  async function readBody(response: OutboundResponse, request: PoliteRequest): Promise<Uint8Array> {
    const isRead = response.status === 200 && (request.isWanted?.(response.headers) ?? true)
    if (!isRead) {
      await response.discard()
      return new Uint8Array()
    }
    const announced = Number(response.headers.get('content-length') ?? 0)
    if (announced > request.maxBytes) {
      await response.discard()
      throw new OutboundFailure('too_large', { host: response.url.host, chosenBy: 'web-page' })
    }
    return await response.bytes()
  }

  async function ask(address: string, request: PoliteRequest): Promise<PoliteAnswer> {
    const host = new URL(address).host
    const { conditions } = request
    return await pace.run(host, reader, async () => {
      const started = now()
      const response = await trail.fetch(address, {
        namedBy: request.namedBy,
        headers: {
          accept: request.accept,
          'accept-language': 'en;q=0.9,*;q=0.5',
          ...(conditions?.etag !== undefined && { 'if-none-match': conditions.etag }),
          ...(conditions?.lastModified !== undefined && { 'if-modified-since': conditions.lastModified }),
        },
        signal,
        maxBytes: request.maxBytes,
        timeoutMs: PAGE_TIMEOUT_MS,
        followRedirects: request.followRedirects,
      })
      const bytes = await readBody(response, request)
      pace.note(host, {
        milliseconds: now() - started,
        isOverloaded: response.status === 429 || response.status === 503,
        retryAfterMs: retryAfterOf(response.headers),
      })
      return { kind: 'answer', status: response.status, headers: response.headers, url: response.url, bytes }
    })
  }

  /** Full jitter: a random part of a backoff that doubles each time. */
  const backoffMs = (tried: number) =>
    Math.round(random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tried))

  return async (address, request) => {
    for (let tried = 1; ; tried += 1) {
      let last: PoliteAnswer | NoAnswer
      let restMs: number | undefined
      let tries = TRIES
      try {
        const answer = await ask(address, request)
        if (!isTemporaryStatus(answer.status)) return answer
        restMs = retryAfterOf(answer.headers)
        last = answer
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof OutboundFailure)) throw error
        last = { kind: 'no-answer', reason: error.message }
        if (!error.isTransient) return last
        if (error.reason.endsWith('timeout')) tries = TRIES_AFTER_TIMEOUT
      }
      if (tried >= tries || (restMs ?? 0) > MAX_RETRY_AFTER_MS) return last
      await wait(restMs ?? backoffMs(tried), signal)
    }
  }
}
