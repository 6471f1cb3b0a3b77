import type { z } from 'zod'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { OutboundResponse } from '../../../platform/outbound/outbound-response.ts'
import { ApiFailure, type ApiFailureKind } from './api-failure.ts'
import { downloadFile } from './download-file.ts'
import type { Pace } from './pace.ts'

/** Bytes of one response. */
const MAX_BYTES = 33_554_432
const TIMEOUT_MS = 60_000

/** Attempts at one request: refused as one too many, and failed on the way or with 5xx. */
const MAX_REFUSALS = 8
const MAX_FAULTS = 3

/** Characters of an error that are looked at. */
const MAX_ERROR_READ = 100_000

/** Characters of an error that an API sends, as shown to the owner. */
const MAX_ERROR_CHARACTERS = 300

export interface RestRequest {
  method?: 'GET' | 'POST'
  /** Sent as JSON. */
  body?: unknown
  /** Sent as the fields of a form. */
  form?: Record<string, string>
  headers?: Record<string, string>
}

export interface RestClient {
  /**
   * Requests a path (or an address at the same origin) and checks the JSON of the response. `size` is how many characters it had.
   * @throws ApiFailure; SourcePaused if the API asks to wait too long; the reason of the signal
   */
  json<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    request?: RestRequest,
  ): Promise<{ data: z.output<Schema>; headers: Headers; size: number }>
  /**
   * The bytes of a file, e.g. an attachment. `isElsewhere`: the API may send to another host for it, by an address that opens it without
   * credentials: none are sent there.
   */
  bytes(
    path: string,
    request?: RestRequest & { maxBytes?: number; isElsewhere?: boolean },
  ): Promise<Uint8Array>
}

export interface RestClientDeps {
  outbound: Pick<Outbound, 'fetchOutbound'>
  /** Scheme, host and port: requests go nowhere else, because they carry credentials. */
  origin: string
  /** The name of the product, for messages. */
  name: string
  pace: Pace
  signal: AbortSignal
  /** Of a request; read each time, since a token may have been renewed, and a signature is of its moment. */
  headers: (url: URL) => Record<string, string>
  /** Called before each request: a token that is about to end is renewed. May throw a `SourceFailure`. */
  prepare?: () => Promise<void>
  /** Renews the token after a 401, once for each request. False: it cannot. */
  renew?: () => Promise<boolean>
  /** Seconds to wait after a refusal that says only in words that it was one too many; undefined if it was another. */
  tooMany?: ((status: number, words: string, body: unknown) => number | undefined) | undefined
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Headers that products take credentials in. */
const CREDENTIALS = new Set(['authorization', 'api-key'])

const KIND_OF_STATUS: Record<number, ApiFailureKind> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'gone',
  410: 'gone',
  // Refused again and again as one too many: nothing is known of what was asked for.
  429: 'unavailable',
}

/** A client for the JSON API of a product: paced, bounded, and with errors in words. */
export function createRestClient(deps: RestClientDeps): RestClient {
  const { origin, name, pace, signal } = deps

  function addressOf(path: string): URL {
    const url = URL.parse(path, origin)
    if (url === null || url.origin !== new URL(origin).origin)
      throw new ApiFailure(
        'unexpected',
        `${name} names an address at another host (${url?.host ?? 'none'}), which is not followed.`,
      )
    return url
  }

  function explain(status: number, text: string, url: URL): ApiFailure {
    const said = wordsOf(text)
    const place = `${url.host}${url.pathname}`
    const tail = said === '' ? '' : ` (${said})`
    const known = KIND_OF_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'refused')
    // Without credentials, a 401 is about this place only: there are none that could be wrong.
    const isAnonymous = !Object.keys(deps.headers(url)).some((header) => CREDENTIALS.has(header))
    const kind = known === 'unauthorized' && isAnonymous ? 'forbidden' : known
    if (kind === 'unauthorized')
      return new ApiFailure(kind, `${name} does not accept the credentials of this source${tail}.`, {
        status,
      })
    if (kind === 'forbidden')
      return new ApiFailure(kind, `${name} does not let this account read ${place}${tail}.`, { status })
    if (kind === 'gone') return new ApiFailure(kind, `${name} has nothing at ${place}${tail}.`, { status })
    if (status >= 300 && status < 400)
      return new ApiFailure(kind, `${name} has moved: ${place} redirects. Enter its new address.`, { status })
    return new ApiFailure(kind, `${name} answered ${status} at ${place}${tail}.`, { status })
  }

  async function send(url: URL, request: RestRequest, maxBytes: number): Promise<OutboundResponse> {
    const sent = contentOf(request)
    return await deps.outbound.fetchOutbound(url, {
      chosenBy: 'customer',
      method: request.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(sent !== undefined && { 'content-type': sent.type }),
        ...deps.headers(url),
        ...request.headers,
      },
      ...(sent !== undefined && { body: sent.text }),
      signal,
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      followRedirects: false,
    })
  }

  /** One attempt; the failure of a connection counts as one of the server. */
  async function attempt(
    url: URL,
    request: RestRequest,
    maxBytes: number,
  ): Promise<OutboundResponse | ApiFailure> {
    await pace.turn(signal)
    try {
      return await send(url, request, maxBytes)
    } catch (cause) {
      if (!(cause instanceof OutboundFailure)) throw cause
      const kind = cause.isTransient ? 'unavailable' : 'refused'
      return new ApiFailure(kind, `${name} could not be read: ${cause.message}`, { cause })
    }
  }

  function isToldInWords(status: number, words: string, text: string): boolean {
    const seconds = deps.tooMany?.(status, words, parseOrUndefined(text.slice(0, MAX_ERROR_READ)))
    return seconds !== undefined && pace.heed(429, new Headers({ 'retry-after': String(seconds) }))
  }

  /** The address of a file at another host that a response sends to; undefined if it sends to none. */
  function elsewhereOf(response: OutboundResponse): URL | undefined {
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) return undefined
    const url = URL.parse(location, response.url.href)
    const own = new URL(origin)
    return url !== null && url.origin !== own.origin && url.protocol === own.protocol ? url : undefined
  }

  const isAnswer = (response: OutboundResponse, { isElsewhere }: { isElsewhere?: boolean }) =>
    (response.status >= 200 && response.status < 300) ||
    (isElsewhere === true && elsewhereOf(response) !== undefined)

  async function ask(
    path: string,
    request: RestRequest & { isElsewhere?: boolean },
    maxBytes: number,
  ): Promise<OutboundResponse> {
    const url = addressOf(path)
    await deps.prepare?.()
    let refusals = 0
    let faults = 0
    let isRenewed = false
    for (;;) {
      const response = await attempt(url, request, maxBytes)
      let failure: ApiFailure
      if (response instanceof ApiFailure) failure = response
      else {
        const isRefused = pace.heed(response.status, response.headers)
        if (isAnswer(response, request)) return response
        const text = await response.text().catch(() => '')
        failure = explain(response.status, text, url)
        if ((isRefused || isToldInWords(response.status, failure.message, text)) && refusals < MAX_REFUSALS) {
          refusals += 1
          continue
        }
      }
      if (failure.kind === 'unauthorized' && !isRenewed && (await deps.renew?.()) === true) {
        isRenewed = true
        continue
      }
      faults += 1
      if (failure.kind !== 'unavailable' || faults >= MAX_FAULTS) throw failure
      await deps.wait(500 * 2 ** faults, signal)
    }
  }

  async function bodyOf(response: OutboundResponse): Promise<Uint8Array> {
    try {
      return await response.bytes()
    } catch (cause) {
      if (!(cause instanceof OutboundFailure)) throw cause
      const kind = cause.isTransient ? 'unavailable' : 'refused'
      throw new ApiFailure(kind, `${name} could not be read: ${cause.message}`, { cause })
    }
  }

  return {
    json: async (path, schema, request = {}) => {
      const response = await ask(path, request, MAX_BYTES)
      const { pathname } = response.url
      const text = new TextDecoder().decode(await bodyOf(response))
      const parsed = schema.safeParse(parseOrUndefined(text))
      if (parsed.success) return { data: parsed.data, headers: response.headers, size: text.length }
      const [issue] = parsed.error.issues
      const what = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`
      throw new ApiFailure(
        'unexpected',
        `${name} sent something else than expected at ${pathname}${what.slice(0, MAX_ERROR_CHARACTERS)}. Is this the address of ${name}?`,
        { status: response.status },
      )
    },
    bytes: async (path, { maxBytes = MAX_BYTES, ...request } = {}) => {
      const response = await ask(path, request, maxBytes)
      const elsewhere = elsewhereOf(response)
      if (elsewhere === undefined) return await bodyOf(response)
      await response.discard()
      return await downloadFile(deps, elsewhere.href, { name, maxBytes, signal })
    },
  }
}

function contentOf({ body, form }: RestRequest): { type: string; text: string } | undefined {
  if (form !== undefined)
    return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() }
  return body === undefined ? undefined : { type: 'application/json', text: JSON.stringify(body) }
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The sentence in the JSON or XML of an error, in the ways that APIs write it; empty if there is none. */
function wordsOf(text: string): string {
  const body = parseOrUndefined(text.slice(0, MAX_ERROR_READ))
  // bounded: at most 2,000 characters
  const [, said = ''] = /<Message>([^<]+)<\/Message>/.exec(text.slice(0, 2_000)) ?? []
  if (said !== '') return printable(said)
  if (typeof body !== 'object' || body === null) return ''
  const fields = body as Record<string, unknown>
  for (const name of [
    'message',
    'error_description',
    'description',
    'error',
    'errors',
    'errorMessages',
    'detail',
  ]) {
    const words = sentenceIn(fields[name])
    if (words !== '') return words
  }
  return ''
}

/** How deep in an error its sentence may be. */
const MAX_ERROR_DEPTH = 8

function sentenceIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return printable(value)
  if (typeof value !== 'object' || value === null || depth >= MAX_ERROR_DEPTH) return ''
  if (Array.isArray(value)) return sentenceIn(value[0], depth + 1)
  const fields = value as Record<string, unknown>
  return sentenceIn(fields['message'] ?? fields['title'], depth + 1)
}

const printable = (text: string) =>
  text
    .slice(0, MAX_ERROR_CHARACTERS)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/[.]$/, '')
