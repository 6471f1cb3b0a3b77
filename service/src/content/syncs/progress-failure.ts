import type { StreamError } from '@citewell/contract/errors'
import { ANSWER_FAILURES } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'

/** The frame that ends a progress stream early. What it tells of continues. */
export function progressFailure(
  error: unknown,
  requestId: string,
  what: 'sync' | 'knowledge base',
): StreamError {
  const kind = error instanceof Refusal && error.code === 'UNAVAILABLE' ? 'unavailable' : 'internal'
  const { code, retryable } = ANSWER_FAILURES[kind]
  const words =
    error instanceof Refusal
      ? error.message
      : `The progress of this ${what} cannot be shown at the moment. Please try again.`
  return { error: words, error_code: kind, code, retryable, request_id: requestId }
}
