import type { z } from 'zod'
import { Refusal, type RefusalDetail } from '../../kernel/refusal.ts'
import { isStorableText } from '../../kernel/storable-text.ts'
import { hasOwnMessage, issueMessage } from './issue-message.ts'

type Issue = z.core.$ZodIssue

/** Maximum number of details, so that a body with a thousand errors does not get a response of a thousand lines. */
const MAX_DETAILS = 20

const pathOf = (path: readonly PropertyKey[]) => path.map(String).join('.')

/** The errors of a request, one per line: unknown fields by name, and for a union those of its nearest member. */
function* detailsOf(issues: readonly Issue[], above: readonly PropertyKey[]): Generator<RefusalDetail> {
  for (const issue of issues) {
    const path = [...above, ...issue.path]
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        yield { path: pathOf([...path, key]), message: 'is not a field of this request' }
    } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const nearest = issue.errors.toSorted((left, right) => left.length - right.length)[0] ?? []
      // What all of its values are, and not only the first.
      const isHere = nearest[0]?.path.length === 0 && hasOwnMessage(issue)
      yield* nearest.length === 1 && !isHere
        ? detailsOf(nearest, path)
        : [{ path: pathOf(path), message: issueMessage(issue) }]
    } else {
      yield { path: pathOf(path), message: issueMessage(issue) }
    }
  }
}

/** No request of the contract is nested deeper than six levels; a hundred thousand would overflow the stack of recursive code. */
const MAX_LEVELS = 64

const TOO_DEEP: RefusalDetail = { path: '', message: 'the body is nested too deeply' }

/**
 * Whether a value has what no schema has to check for: excessive nesting, or else U+0000, which PostgreSQL cannot store in text, or lone
 * surrogates, which JSON can spell and UTF-8 cannot. It names no paths: those of all that a large body has would take most of the time that
 * the body takes.
 */
function faultIn(value: unknown, level: number): 'depth' | 'character' | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : 'character'
  if (typeof value !== 'object' || value === null) return undefined
  if (level === MAX_LEVELS) return 'depth'
  const isList = Array.isArray(value)
  let fault: 'character' | undefined =
    isList || Object.keys(value).every(isStorableText) ? undefined : 'character'
  for (const item of isList ? (value as unknown[]) : Object.values(value)) {
    const found = faultIn(item, level + 1)
    if (found === 'depth') return found
    fault ??= found
  }
  return fault
}

/** The first forbidden character, with its place. */
function findForbidden(value: unknown, path: readonly string[]): RefusalDetail | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path: pathOf(path), message: 'must not have the character U+0000' }
    return value.isWellFormed()
      ? undefined
      : { path: pathOf(path), message: 'must not have half of a surrogate pair' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const found = findForbidden(key, path) ?? findForbidden(item, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Validates a part of a request against its schema. A forbidden character matters only in what the schema keeps: the contract ignores
 * unknown fields of public bodies and invalid thread ids, whatever is in them.
 *
 * @throws Refusal BAD_REQUEST with a detail for each error
 */
export function parseRequestPart<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const fault = faultIn(value, 0)
  if (fault === 'depth') throw new Refusal('BAD_REQUEST', { details: [TOO_DEEP] })
  const parsed = schema.safeParse(value, { reportInput: true })
  const forbidden = fault === undefined ? undefined : findForbidden(parsed.success ? parsed.data : value, [])
  if (forbidden !== undefined) throw new Refusal('BAD_REQUEST', { details: [forbidden] })
  if (parsed.success) return parsed.data
  throw new Refusal('BAD_REQUEST', {
    // Only those that are shown are written: a list of a million wrong items has a million.
    details: detailsOf(parsed.error.issues, []).take(MAX_DETAILS).toArray(),
  })
}
