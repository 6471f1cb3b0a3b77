import type { z } from 'zod'
import { Refusal, type RefusalDetail } from '../../kernel/refusal.ts'
import { faultWords } from './fault-words.ts'

type Issue = z.core.$ZodIssue

/** So many are told; a body of a thousand faults is not answered with a thousand lines. */
const MOST_DETAILS = 20

const pathOf = (path: readonly PropertyKey[]) => path.map(String).join('.')

/** What is wrong with a request, one line a fault: unknown fields by name, and of a union what its nearest member says. */
function* detailsOf(issues: readonly Issue[], above: readonly PropertyKey[]): Generator<RefusalDetail> {
  for (const issue of issues) {
    const path = [...above, ...issue.path]
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        yield { path: pathOf([...path, key]), message: 'is not a field of this request' }
    } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const nearest = issue.errors.toSorted((left, right) => left.length - right.length)[0] ?? []
      yield* nearest.length === 1
        ? detailsOf(nearest, path)
        : [{ path: pathOf(path), message: faultWords(issue) }]
    } else {
      yield { path: pathOf(path), message: faultWords(issue) }
    }
  }
}

/** No request of the contract is deeper than six; a hundred thousand levels would overflow whoever walks them. */
const MOST_LEVELS = 64

/**
 * What no schema has to look for: nesting without end, the one character that PostgreSQL stores in no text, and half
 * characters, which JSON can spell and UTF-8 cannot.
 */
function findForbidden(value: unknown, path: readonly string[]): RefusalDetail | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path: pathOf(path), message: 'must not have the character U+0000' }
    return value.isWellFormed()
      ? undefined
      : { path: pathOf(path), message: 'must not have half a character' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length === MOST_LEVELS) return { path: '', message: 'the body is nested too deeply' }
  for (const [key, item] of Object.entries(value)) {
    const found = findForbidden(key, path) ?? findForbidden(item, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Checks a part of a request against its schema.
 *
 * @throws Refusal BAD_REQUEST with a detail for each fault
 */
export function parseRequestPart<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const forbidden = findForbidden(value, [])
  if (forbidden !== undefined) throw new Refusal('BAD_REQUEST', { details: [forbidden] })
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new Refusal('BAD_REQUEST', {
    details: [...detailsOf(parsed.error.issues, [])].slice(0, MOST_DETAILS),
  })
}
