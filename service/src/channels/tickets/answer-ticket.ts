import { LIMITS } from '@citewell/contract/limits'
import {
  collectAnswer,
  createQuestion,
  type Answering,
  type AskedBase,
  type FinishedAnswer,
} from '../../answers/answering/answering.ts'

export interface Ticket {
  /** The name of the base, and the style of its answers. */
  base: AskedBase
  subject: string | undefined
  body: string
  /** The conversation of earlier answers to it. */
  threadId: string | undefined
  /** Documents that were made from this very ticket, which must not answer it. */
  withoutDocuments?: readonly string[]
  /** Identifies the customer in the conversation: one per ticket. */
  userRef: string
}

/** The answer of the knowledge base to a ticket. */
export interface TicketAnswer {
  outcome: 'deflected' | 'low_confidence' | 'answer_failed'
  /** Only if the outcome is `deflected`. */
  answer: string | undefined
  citations: FinishedAnswer['cited']
  /** 0 to 1; undefined if no answer could be written. */
  confidence: number | undefined
  threadId: string | undefined
}

/**
 * Answers a ticket from public documents, for an anonymous customer. Only an answer that the knowledge base covers is used.
 *
 * @throws Refusal if the question is refused, e.g. QUOTA_EXCEEDED
 */
export async function answerTicket(
  answering: Pick<Answering, 'answerQuestion'>,
  { base, subject, body, threadId, userRef, withoutDocuments = [] }: Ticket,
  signal: AbortSignal,
): Promise<TicketAnswer> {
  const written = [subject ?? '', body].filter((part) => part !== '').join('\n\n')
  const question = createQuestion(base, {
    query: Array.from(written).slice(0, LIMITS.query).join(''),
    threadId,
    withoutDocuments,
    includeRestricted: false,
    asker: { surface: 'helpdesk', clientKeyId: undefined, userRef },
  })
  const { text, finished } = await collectAnswer(answering.answerQuestion(question, signal))
  const kept = finished?.ids?.threadId ?? threadId
  if (finished === undefined)
    return {
      outcome: 'answer_failed',
      answer: undefined,
      citations: [],
      confidence: undefined,
      threadId: kept,
    }
  const { covered, confidence, cited } = finished
  const outcome = covered ? 'deflected' : 'low_confidence'
  return {
    outcome,
    answer: covered ? text : undefined,
    citations: covered ? cited : [],
    confidence,
    threadId: kept,
  }
}
