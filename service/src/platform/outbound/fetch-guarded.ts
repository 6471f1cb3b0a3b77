import type { Readable } from 'node:stream'
import { ACCEPTED_ENCODINGS, BodyNotDecodable, BodyTooLarge } from './decode-body.ts'
import type { ChosenBy } from './chosen-by.ts'
import type { ConnectionGuard } from './guarded-connection.ts'
import { OutboundFailure, reasonOf, type OutboundReason } from './outbound-failure.ts'
import { OUTBOUND_LIMITS } from './outbound-policy.ts'
import { createOutboundResponse, headersOf, type OutboundResponse } from './outbound-response.ts'
import { locationOf, nextHop, type Hop } from './redirect.ts'

export interface OutboundRequest {
  chosenBy: ChosenBy
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** Maximum size of the body, compressed and decompressed. */
  maxBytes?: number
  /** Total timeout: DNS, connecting, redirects and the whole body. */
  timeoutMs?: number
  /** Follow up to five redirects, each checked like the first address. If false, a redirect is returned like any other response. */
  followRedirects: boolean
}

export type FetchOutbound = (address: string | URL, request: OutboundRequest) => Promise<OutboundResponse>

export const USER_AGENT = 'Citewell/0.1 (documentation indexer)'

const MAX_REDIRECTS = 5

/** Maximum bytes read of a redirect's body, which is discarded. */
const DUMP_BYTES = 65_536

function parseTarget(address: string | URL, chosenBy: ChosenBy): URL {
  const url = typeof address === 'string' ? URL.parse(address) : address
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
  if (!isWeb) throw new OutboundFailure('bad_address', { host: url?.host ?? '', chosenBy })
  if (url.username !== '' || url.password !== '')
    throw new OutboundFailure('userinfo', { host: url.host, chosenBy })
  return url
}

/**
 * A body that is let go once it is on its way. undici keeps what it is given until the response has ended, and the bytes that it makes of a
 * text besides: for an answer of a model that is minutes, for hundreds of readers.
 */
function bodyOnce(given: string | Uint8Array): { length: number; body: AsyncIterable<Uint8Array> } {
  let bytes: Uint8Array | undefined = typeof given === 'string' ? Buffer.from(given) : given
  const { length } = bytes
  async function* send() {
    const sent = bytes
    bytes = undefined
    if (sent !== undefined) yield sent
  }
  return { length, body: send() }
}

/**
 * Requests an address and follows its redirects.
 *
 * @param deps.chooserAfter who chose the address of a redirect, given who chose the previous one
 * @param deps.report called with every failure, for the log
 */
export function createGuardedFetch(deps: {
  guard: ConnectionGuard
  chooserAfter: (hop: URL, chosenBy: ChosenBy, next: URL) => ChosenBy
  report: (failure: OutboundFailure) => void
}): FetchOutbound {
  const { guard } = deps
  async function fetchOutbound(address: string | URL, request: OutboundRequest): Promise<OutboundResponse> {
    const { signal } = request
    let { chosenBy } = request
    const limits = OUTBOUND_LIMITS[chosenBy]
    const maxBytes = request.maxBytes ?? limits.maxBytes
    let hop: Hop = {
      url: parseTarget(address, chosenBy),
      method: request.method ?? 'GET',
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': ACCEPTED_ENCODINGS, ...request.headers },
      body: request.body,
    }
    signal?.throwIfAborted()

    const ending = new AbortController()
    const abort = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(
      () => ending.abort(new OutboundFailure('timeout', { host: hop.url.host, chosenBy })),
      request.timeoutMs ?? limits.timeoutMs,
    )
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (reason: OutboundReason, cause?: unknown) =>
      new OutboundFailure(reason, {
        host: hop.url.host,
        chosenBy,
        isInside: guard.kindOf(hop.url.hostname) === 'private',
        cause,
      })
    const explain = (error: unknown): unknown => {
      if (ending.signal.aborted) return ending.signal.reason
      if (error instanceof OutboundFailure) return error
      if (error instanceof BodyTooLarge) return fail('too_large', error)
      if (error instanceof BodyNotDecodable) return fail('bad_encoding', error)
      return fail(reasonOf(error), error)
    }

    const send = () => {
      const sent = hop.body === undefined || hop.body.length === 0 ? undefined : bodyOnce(hop.body)
      return guard.agentFor(chosenBy).request({
        origin: hop.url.origin,
        path: hop.url.pathname + hop.url.search,
        method: hop.method,
        headers: sent === undefined ? hop.headers : { ...hop.headers, 'content-length': String(sent.length) },
        // undici takes any iterable, as it says itself, but for its types.
        body: (sent?.body ?? null) as Readable | null,
        signal: ending.signal,
      })
    }

    try {
      for (let redirects = 0; ; redirects += 1) {
        const { statusCode: status, headers: raw, body } = await send()
        const headers = headersOf(raw)
        const location = request.followRedirects ? locationOf(status, headers) : undefined
        const next = location === undefined ? undefined : nextHop(hop, status, location)
        if (next === undefined) {
          const { url } = hop
          // What explains a later failure keeps the hop until the answer has ended: without its body, which is not sent again.
          hop = { ...hop, body: undefined }
          return createOutboundResponse({
            status,
            headers,
            url,
            body,
            maxBytes,
            explain,
            onEnd: end,
          })
        }
        await body.dump({ limit: DUMP_BYTES })
        if (redirects === MAX_REDIRECTS) throw fail('too_many_redirects')
        if (hop.url.protocol === 'https:' && next.url.protocol === 'http:') throw fail('insecure_redirect')
        chosenBy = deps.chooserAfter(hop.url, chosenBy, next.url)
        parseTarget(next.url, chosenBy)
        hop = next
      }
    } catch (error) {
      const explained = explain(error)
      if (explained instanceof OutboundFailure) deps.report(explained)
      ending.abort(explained)
      end()
      throw explained
    }
  }

  return fetchOutbound
}
