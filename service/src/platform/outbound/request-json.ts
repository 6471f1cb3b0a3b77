import { parseJson } from '../../kernel/json.ts'
import type { FetchOutbound } from './fetch-guarded.ts'

export interface JsonRequest {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON, or as the form that it is. */
  body?: unknown
  timeoutMs?: number
  maxBytes?: number
}

export interface JsonAnswer {
  status: number
  headers: Headers
  /** What is no JSON is undefined. */
  body: unknown
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_048_576

/** Sends a request to the API of a product that a customer connected, never elsewhere: redirects are not followed. @throws OutboundFailure */
export async function requestJson(
  address: string | URL,
  { method = 'GET', headers, body, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: JsonRequest,
  { fetchOutbound, signal }: { fetchOutbound: FetchOutbound; signal: AbortSignal },
): Promise<JsonAnswer> {
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await fetchOutbound(address, {
    chosenBy: 'customer',
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body: isForm ? body.toString() : JSON.stringify(body) }),
    signal,
    timeoutMs,
    maxBytes,
    followRedirects: false,
  })
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
}
