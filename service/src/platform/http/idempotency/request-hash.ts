import { createHash } from 'node:crypto'
import { parseJson } from '../../../kernel/json.ts'
import { Refusal } from '../../../kernel/refusal.ts'

/** What tells one request with a key from another. */
export interface KeyedRequest {
  /** Whose key it is: two tokens may use the same. */
  tokenId: string
  method: string
  /** The address without its query. */
  path: string
  key: string
  /** Parsed: the order of its fields does not count. */
  body: unknown
}

/** Visible ASCII, as in a UUID or any other id. */
const SANE_KEY = /^[\x21-\x7e]{1,255}$/

/**
 * The header of a request; undefined where it has none.
 *
 * @throws Refusal BAD_REQUEST for one that is no key
 */
export function idempotencyKeyOf(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key') ?? undefined
  if (key === undefined || SANE_KEY.test(key)) return key
  const message = 'must have 1 to 255 visible ASCII characters'
  throw new Refusal('BAD_REQUEST', { details: [{ path: 'Idempotency-Key', message }] })
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

export const requestHashOf = ({ tokenId, method, path, key }: KeyedRequest): string =>
  hashOf(JSON.stringify([tokenId, method, path, key]))

/** Objects with their keys in one order, all the way down. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return entries.map(([key, item]) => [key, sorted(item)])
}

/** Of a parsed body, as JSON has it: a time that was read is its text again. */
export const bodyHashOf = (body: unknown): string =>
  hashOf(JSON.stringify([sorted(parseJson(JSON.stringify(body) ?? 'null'))]))
