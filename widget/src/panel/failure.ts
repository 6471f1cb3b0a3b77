import type { CitewellError } from '@citewell/sdk'
import type { Dictionary } from '../languages/en.ts'
import type { Say } from '../languages/say.ts'
import type { Emit } from '../options/widget-events.ts'

/** Why a request failed, as far as the reader and the owner need it. */
export interface Failure {
  code: string
  /** `rate_limited`, `timeout`, … or undefined if the request was refused for another reason. */
  kind: string | undefined
  retryable: boolean
  requestId: string | undefined
  /** When it is worth trying again: milliseconds since 1970. */
  retryAt: number | undefined
  /** The service's own sentence, in English. */
  sentence: string
}

/** What the reader is told: by kind of failure, then by code. An unknown one speaks in the service's own words. */
const SENTENCES: Record<string, keyof Dictionary> = {
  rate_limited: 'tooMany',
  timeout: 'timeout',
  unavailable: 'unavailable',
  internal: 'internal',
  truncated: 'truncated',
  content_filtered: 'filtered',
  quota_exceeded: 'quota',
  misconfigured: 'misconfigured',
  TIMEOUT: 'timeout',
  CAPTCHA_FAILED: 'check',
  CAPTCHA_REQUIRED: 'check',
  BAD_REQUEST: 'refused',
  UNAUTHENTICATED: 'refused',
  FORBIDDEN: 'refused',
  GROUP_NOT_ALLOWED: 'refused',
  WIDGET_DISABLED: 'refused',
  ORIGIN_NOT_ALLOWED: 'refused',
  KNOWLEDGE_BASE_INTERNAL: 'refused',
  KNOWLEDGE_BASE_ARCHIVED: 'refused',
  NOT_FOUND: 'refused',
}

export function sentenceOf({ kind, code, sentence }: Failure, say: Say): string {
  const known = SENTENCES[kind ?? ''] ?? SENTENCES[code]
  return known ? say(known) : sentence || say('internal')
}

export const failureOf = (error: unknown): Failure => {
  // By its name: the class is in another file, and in that of the checks once more.
  const known =
    (error as Partial<Error> | undefined)?.name === 'CitewellError' ? (error as CitewellError) : undefined
  return {
    code: known?.code ?? 'INTERNAL',
    kind: known?.errorCode,
    retryable: known?.retryable ?? true,
    requestId: known?.requestId,
    retryAt: known?.retryAfter === undefined ? undefined : Date.now() + known.retryAfter * 1_000,
    sentence: known?.message ?? '',
  }
}

export type TellFailure = (failure: Failure) => void

/** Returns what tells the page of a failure, and its owner of what the reader cannot mend. */
export const createTellFailure =
  (emit: Emit): TellFailure =>
  ({ code, kind, retryable, sentence, requestId }) => {
    if (kind === 'misconfigured' || kind === undefined)
      console.error(`Citewell: ${code}: ${sentence} (request ${requestId ?? 'unknown'})`)
    emit('error', { code, retryable, request_id: requestId })
  }
