import type { OpenAiError } from '@citewell/contract/openai-error'
import { ANSWER_FAILURES, REFUSALS, type AnswerFailureCode } from '@citewell/contract/refusals'
import type { Refusal } from '../../kernel/refusal.ts'

type ErrorType = OpenAiError['error']['type']

function typeOfStatus(status: number): ErrorType {
  if (status >= 500) return 'server_error'
  switch (status) {
    case 401:
      return 'authentication_error'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 429:
      return 'rate_limit_error'
    default:
      return 'invalid_request_error'
  }
}

/** A refusal in the format of OpenAI's errors; its first detail becomes their `param`. */
export function openAiErrorBody(refusal: Refusal, requestId: string): OpenAiError {
  const { status } = REFUSALS[refusal.code]
  const [detail] = refusal.details ?? []
  const because = detail === undefined ? '' : ` ${detail.path}: ${detail.message}.`
  return {
    error: {
      message: `${refusal.message}${because}`,
      type: refusal.code === 'QUOTA_EXCEEDED' ? 'insufficient_quota' : typeOfStatus(status),
      param: detail?.path ?? null,
      code: refusal.code,
      request_id: requestId,
      retryable: refusal.isRetryable,
    },
  }
}

/** The same for an answer that failed after its stream had started. */
export function openAiFailureBody(failure: AnswerFailureCode, requestId: string): OpenAiError {
  const { reader, code, retryable } = ANSWER_FAILURES[failure]
  const type = failure === 'quota_exceeded' ? 'insufficient_quota' : 'server_error'
  return { error: { message: reader, type, param: null, code, request_id: requestId, retryable } }
}
