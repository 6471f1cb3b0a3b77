import { hash } from 'node:crypto'
import { parseJson } from '../../../kernel/json.ts'
import { wrongField } from '../../../kernel/refusal.ts'

/** What identifies a request with a key. */
export interface KeyedRequest {
  /** The access token or session of the caller: two of them may use the same key. */
  credentialId: string
  method: string
  /** The address without its query. */
  path: string
  key: string
  /** Parsed: the order of its fields does not matter. */
  body: unknown
}

/** Visible ASCII, as in a UUID or any other id. */
const VALID_KEY = /^[\x21-\x7e]{1,255}$/

/**
 * The header of a request; undefined if it is missing.
 *
 * @throws Refusal BAD_REQUEST for an invalid key
 */
export function idempotencyKeyOf(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key') ?? undefined
  if (key === undefined || VALID_KEY.test(key)) return key
  const message = 'must have 1 to 255 visible ASCII characters'
  throw wrongField('Idempotency-Key', message)
}

const hashOf = (text: string) => hash('sha256', text, 'base64url')

export const requestHashOf = ({ credentialId, method, path, key }: KeyedRequest): string =>
  hashOf(JSON.stringify([credentialId, method, path, key]))

/** Sorts the keys of objects, recursively. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return entries.map(([key, item]) => [key, sorted(item)])
}

/** Hash of a parsed body in its JSON form: a parsed Date counts as its text. */
export const bodyHashOf = (body: unknown): string =>
  hashOf(JSON.stringify([sorted(parseJson(JSON.stringify(body) ?? 'null'))]))
