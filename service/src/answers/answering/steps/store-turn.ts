import type { AnswerFailureCode } from '@citewell/contract/refusals'
import type { Citation } from '../../citations/citations.ts'
import type { Question } from '../question.ts'
import type { AnswerTrace } from '../trace.ts'

/** A question and what was answered, as it is kept. */
export interface AnsweredTurn {
  question: Question
  /** The query that was searched for, where it is another than the question. */
  rewrittenQuery: string | undefined
  answer: string
  citations: Citation[]
  covered: boolean
  confidence: number
  /** Why it ended early: the reader left (`cancelled`) or something failed. Undefined for a whole answer. */
  stoppedBy: AnswerFailureCode | undefined
  /** Documents whose words the writer was shown, in the evidence or in earlier answers. */
  drewOn: readonly string[]
  trace: AnswerTrace
}

export interface TurnIds {
  threadId: string
  messageId: string
}

export interface StoreDeps {
  /** Keeps a turn; undefined when nothing may be kept. */
  storeTurn: (turn: AnsweredTurn) => Promise<TurnIds | undefined>
  /** Tells whoever runs the service of a fault that the reader need not see. */
  report: (fault: unknown, doing: string) => void
}

/** Keeps the turn. An answer that cannot be kept is an answer all the same: it only has no ids then. */
export async function storeTurn(turn: AnsweredTurn, deps: StoreDeps): Promise<TurnIds | undefined> {
  try {
    return await deps.storeTurn(turn)
  } catch (fault) {
    deps.report(fault, 'storing an answer')
    return undefined
  }
}
