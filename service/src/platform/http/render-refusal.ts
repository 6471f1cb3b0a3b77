import type { ErrorBody } from '@citewell/contract/errors'
import { REFUSALS } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'

/** Converts any thrown value to a refusal. Only a `Refusal` keeps its message; anything else becomes INTERNAL without details. */
export function refusalFrom(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('INTERNAL', { cause: error })
}

/** Makes the body of the response to a request that was refused. */
export type RefusalBody = (refusal: Refusal, requestId: string) => object

export function errorBody(refusal: Refusal, requestId: string): ErrorBody {
  return {
    error: refusal.message,
    code: refusal.code,
    request_id: requestId,
    retryable: refusal.isRetryable,
    ...(refusal.details !== undefined && { details: refusal.details }),
  }
}

/**
 * Status, headers and body of a refusal.
 *
 * @param headers those that every response to this request has
 * @param bodyOf for routes whose errors have another format
 */
export function refusalResponse(
  refusal: Refusal,
  requestId: string,
  headers: Record<string, string>,
  bodyOf: RefusalBody = errorBody,
): Response {
  const { retryAfterSeconds } = refusal
  return new Response(JSON.stringify(bodyOf(refusal, requestId)), {
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
