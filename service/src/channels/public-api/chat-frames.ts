import type { ChatFrame } from '@citewell/contract/chat'
import { ANSWER_FAILURES, REFUSALS, type AnswerFailureCode } from '@citewell/contract/refusals'
import type { AnswerEvent } from '../../answers/answering/answering.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { POWERED_BY } from './powered-by.ts'

/** The last frame of a question that was not answered, and not stored. */
export const UNANSWERED: ChatFrame = {
  done: true,
  citations: [],
  covered: false,
  confidence: 0,
  ...POWERED_BY,
}

/** The wire format of one event of an answer: every surface that streams frames calls this, and none of them knows how answers are made. */
export function chatFrame(event: AnswerEvent, requestId: string): ChatFrame {
  switch (event.kind) {
    case 'found':
      return event.citations.length > 0 ? { citations: event.citations, done: false } : { done: false }
    case 'delta':
      return { delta: event.text, done: false }
    case 'finished':
      return {
        done: true,
        ...(event.ids !== undefined && { thread_id: event.ids.threadId, message_id: event.ids.messageId }),
        citations: event.cited,
        ...(event.rewritten !== undefined && { answer: event.rewritten }),
        covered: event.covered,
        confidence: event.confidence,
        ...POWERED_BY,
      }
    case 'failed':
      return failureFrame(event.code, requestId, event.because)
  }
}

/** The only frame that ends a stream in which something failed. `because` is the more precise refusal, if there is one. */
export function failureFrame(failure: AnswerFailureCode, requestId: string, because?: Refusal): ChatFrame {
  const { reader, code, retryable } = ANSWER_FAILURES[failure]
  return {
    error: because?.message ?? reader,
    error_code: failure,
    code: because?.code ?? code,
    retryable: because === undefined ? retryable : REFUSALS[because.code].retryable,
    request_id: requestId,
  }
}
