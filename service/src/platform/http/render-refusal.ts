import type { ErrorBody } from '@citewell/contract/errors'
import { REFUSALS } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'

/** Whatever was thrown, as a refusal. Only a `Refusal` keeps its words; anything else is INTERNAL and says nothing. */
export function refusalFrom(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('INTERNAL', { cause: error })
}

export function errorBody(refusal: Refusal, requestId: string): ErrorBody {
  return {
    error: refusal.message,
    code: refusal.code,
    request_id: requestId,
    retryable: REFUSALS[refusal.code].retryable,
    ...(refusal.details !== undefined && { details: refusal.details }),
  }
}

/** Status, headers and body of a refusal. `headers` has those that every answer to this request carries. */
export function refusalResponse(
  refusal: Refusal,
  requestId: string,
  headers: Record<string, string>,
): Response {
  const { retryAfterSeconds } = refusal
  return new Response(JSON.stringify(errorBody(refusal, requestId)), {
    status: REFUSALS[refusal.code].status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(retryAfterSeconds !== undefined && {
        'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))),
      }),
    },
  })
}
