import type { Endpoint } from '@citewell/contract/endpoint'
import type { ErrorBody } from '@citewell/contract/errors'
import { REFUSALS } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import { openAiErrorBody } from './openai-error.ts'

/** Converts any thrown value to a refusal. Only a `Refusal` keeps its message; anything else becomes INTERNAL without details. */
export function refusalFrom(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('INTERNAL', { cause: error })
}

export function errorBody(refusal: Refusal, requestId: string): ErrorBody {
  return {
    error: refusal.message,
    code: refusal.code,
    request_id: requestId,
    retryable: refusal.isRetryable,
    ...(refusal.details !== undefined && { details: refusal.details }),
  }
}

/** Status, headers and body of a refusal. `headers` are those that every response to this request has. */
export function refusalResponse(
  refusal: Refusal,
  requestId: string,
  headers: Record<string, string>,
  wireFormat?: Endpoint['wireFormat'],
): Response {
  const { retryAfterSeconds } = refusal
  const body = wireFormat === 'openai' ? openAiErrorBody(refusal, requestId) : errorBody(refusal, requestId)
  return new Response(JSON.stringify(body), {
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
