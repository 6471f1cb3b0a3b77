import { newId } from '../../kernel/ids.ts'

/** Letters, digits and the punctuation of common id formats: nothing that could break a log line or a header. */
const VALID = /^[\w.:@=+/-]{1,128}$/

/** The caller's own `X-Request-Id` if it is valid, else a new id. */
export function requestIdOf(header: string | null | undefined): string {
  return header !== null && header !== undefined && VALID.test(header) ? header : newId()
}
