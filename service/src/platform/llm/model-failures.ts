import type { AnswerFailureCode } from '@citewell/contract/refusals'
import { z } from 'zod'
import { OutboundFailure, type OutboundReason } from '../outbound/outbound-failure.ts'
import { ModelFailure } from './language-model.ts'
import { ProviderRefusal } from './provider-refusal.ts'

/** The error format of providers, in the body of an error response or in the middle of a stream. */
const ProviderError = z.object({
  message: z.string().optional().catch(undefined),
  type: z.string().nullish().catch(undefined),
  code: z.union([z.string(), z.number()]).nullish().catch(undefined),
})
type ProviderError = z.output<typeof ProviderError>

const OUT_OF_CREDIT = /insufficient[_ ](quota|credit|balance|funds)|billing|payment|out of credit/i
const FILTERED = /content[_ -]?(filter|policy)|responsible ?ai/i
const BUSY = /rate[_ -]?limit|too[_ ]many[_ ]requests/i
/** What a change of settings or of the question alone helps against. */
const REFUSED =
  /api[_ -]?key|authenticat|unauthori[sz]ed|permission|forbidden|access[_ -]?denied|not[_ -]?found|invalid[_ -]?request|unsupported|deactivated|context[_ -]?length/i
const DOWN = /server[_ ]error|overloaded|unavailable|internal[_ ]error|bad[_ ]gateway|timed?[_ -]?out/i

/** Reasons that only a change of settings fixes; the others are transient. */
const MISCONFIGURED_ADDRESS: readonly OutboundReason[] = [
  'bad_address',
  'userinfo',
  'port',
  'private_address',
  'metadata_address',
  'tls',
  'too_many_redirects',
  'insecure_redirect',
]

function codeOfStatus(status: number): AnswerFailureCode {
  if (status === 429) return 'rate_limited'
  if (status === 408 || status >= 500) return 'unavailable'
  // 400, 401, 402, 403, 404 (no such model), 413, 422 and redirects: a retry would end the same way.
  return 'misconfigured'
}

function codeOf(status: number | undefined, { message = '', type, code }: ProviderError): AnswerFailureCode {
  const kind = `${type ?? ''} ${code ?? ''}`
  if (OUT_OF_CREDIT.test(kind) || (status === 429 && OUT_OF_CREDIT.test(message))) return 'misconfigured'
  if (FILTERED.test(kind)) return 'content_filtered'
  if (status !== undefined) return codeOfStatus(status)
  // A number, also as text.
  if (Number(code) >= 400 && Number(code) < 600) return codeOfStatus(Number(code))
  if (BUSY.test(kind)) return 'rate_limited'
  if (REFUSED.test(kind)) return 'misconfigured'
  if (DOWN.test(kind) || DOWN.test(message)) return 'unavailable'
  return 'internal'
}

const ErrorBody = z.object({ error: ProviderError })

function bodyOf({ body }: ProviderRefusal): ProviderError {
  try {
    return ErrorBody.parse(JSON.parse(body)).error
  } catch {
    return { message: body }
  }
}

function outboundFailureIn(error: unknown): OutboundFailure | undefined {
  if (error instanceof OutboundFailure) return error
  return error instanceof Error ? outboundFailureIn(error.cause) : undefined
}

/** Connection errors as undici and Node name them, anywhere in the chain of causes. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^(UND_ERR|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/.test(code)) return true
  return error.message === 'terminated' || error.message === 'fetch failed' || isConnectionError(error.cause)
}

/** The provider's own error in the middle of a stream. */
function errorInStream(error: unknown): unknown {
  if (typeof error === 'string') return { message: error }
  return error instanceof Error ? undefined : error
}

/** Statuses with which a provider refuses a key, an account or a model: before it reads the question. */
const REFUSED_BEFORE_READING = [401, 402, 403, 404, 429]

/**
 * What may be kept of a failure, in memory and in the log. What else a provider says may repeat the question, which a workspace without
 * retention keeps nowhere.
 */
export function keptReason({ message, cause }: ModelFailure): string {
  if (cause === undefined || outboundFailureIn(cause) !== undefined || isConnectionError(cause))
    return message
  if (!(cause instanceof ProviderRefusal))
    return 'The model provider sent an error, or an answer that cannot be read.'
  return REFUSED_BEFORE_READING.includes(cause.status)
    ? message
    : `The model provider answered ${cause.status}.`
}

/** Classifies a failed call with the codes of the contract. The message is for logs and traces, not for readers. */
export function modelFailureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  const outbound = outboundFailureIn(error)
  if (outbound !== undefined) {
    const isMisconfigured = MISCONFIGURED_ADDRESS.includes(outbound.reason) && !outbound.isTransient
    const code = isMisconfigured
      ? 'misconfigured'
      : outbound.reason === 'timeout'
        ? 'timeout'
        : outbound.isTransient
          ? 'unavailable'
          : 'internal'
    return new ModelFailure(code, outbound.message, { cause: error })
  }
  if (error instanceof ProviderRefusal) {
    const said = bodyOf(error)
    const message = `The model provider answered ${error.status}: ${said.message ?? 'no reason given'}`
    return new ModelFailure(codeOf(error.status, said), message, { cause: error })
  }
  if (isConnectionError(error))
    return new ModelFailure('unavailable', 'The connection to the model failed.', { cause: error })
  const said = ProviderError.safeParse(errorInStream(error))
  if (said.success) {
    const message = `The model provider failed: ${said.data.message ?? 'no reason given'}`
    return new ModelFailure(codeOf(undefined, said.data), message, { cause: error })
  }
  if (error instanceof Error)
    return new ModelFailure('internal', `The model's answer could not be read: ${error.message}`, {
      cause: error,
    })
  return new ModelFailure('internal', 'The model failed without a reason.', { cause: error })
}

/** The delay that a provider asked for, in milliseconds; undefined if it gave none. */
export function retryAfterMsOf(failure: ModelFailure, now: number): number | undefined {
  if (!(failure.cause instanceof ProviderRefusal)) return undefined
  const { headers } = failure.cause
  const ms = headers.get('retry-after-ms')
  if (ms !== null && Number(ms) >= 0) return Number(ms)
  const given = headers.get('retry-after')
  if (given === null) return undefined
  const seconds = Number(given)
  if (seconds >= 0) return seconds * 1_000
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
