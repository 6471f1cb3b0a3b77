import { ANSWER_FAILURES } from '@citewell/contract/refusals'
import type { AnswerEvent } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** A failed answer as a refusal, while nothing has been sent yet and the real status can still be used. */
export function refusalOfFailure({ code, because }: Extract<AnswerEvent, { kind: 'failed' }>): Refusal {
  if (because !== undefined) return because
  if (code === 'quota_exceeded') return new Refusal('QUOTA_EXCEEDED')
  const isBusy = code === 'rate_limited' || code === 'timeout' || code === 'unavailable'
  return new Refusal(isBusy ? 'UNAVAILABLE' : 'INTERNAL', { because: ANSWER_FAILURES[code].reader })
}
