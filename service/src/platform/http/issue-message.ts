import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'an address',
  uuid: 'an id (a UUID)',
  datetime: 'a time such as 2026-03-09T14:05:12Z',
  date: 'a date such as 2026-03-09',
}

/** How the schema library's own messages begin; messages of our schemas are kept. */
const LIBRARY_MESSAGE = /^(?:Invalid|Too big|Too small|Unrecognized)/

/** Whether a schema of ours says what is wrong. */
export const hasOwnMessage = ({ message }: Pick<Issue, 'message'>): boolean => !LIBRARY_MESSAGE.test(message)

const shown = (value: unknown) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))

function describeSize(origin: string, bound: 'least' | 'most', size: number | bigint): string {
  const number = size.toLocaleString('en')
  const word = `at ${bound}`
  if (origin === 'string') return `must have ${word} ${number} ${number === '1' ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set')
    return `must have ${word} ${number} ${number === '1' ? 'entry' : 'entries'}`
  return `must be ${word} ${number}`
}

/** Describes a validation issue in words that an API client understands. */
export function issueMessage(issue: Issue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required'
  if (hasOwnMessage(issue)) return issue.message
  if (issue.code === 'invalid_type') return `must be ${KINDS[issue.expected] ?? issue.expected}`
  if (issue.code === 'too_small') return describeSize(issue.origin, 'least', issue.minimum)
  if (issue.code === 'too_big') return describeSize(issue.origin, 'most', issue.maximum)
  if (issue.code === 'invalid_format')
    return `must be ${FORMATS[issue.format] ?? `of the form ${issue.format}`}`
  if (issue.code !== 'invalid_value') return 'is not a valid value for this field'
  const words = issue.values.map(shown).join(', ')
  return issue.values.length === 1 ? `must be ${words}` : `must be one of ${words}`
}
