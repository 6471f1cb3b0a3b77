import type { AnswerFailureCode } from '@citewell/contract/refusals'
import type { Citation } from '../../citations/citations.ts'
import type { Question } from '../question.ts'
import type { AnswerTrace } from '../trace.ts'
import type { AskContext } from './prepare-question.ts'

/** A question and its answer, as stored. */
export interface AnsweredTurn {
  question: Question
  /** The search query, if it differs from the question. */
  rewrittenQuery: string | undefined
  answer: string
  citations: Citation[]
  covered: boolean
  confidence: number
  /** Why it ended early: the reader disconnected (`cancelled`) or something failed. Undefined for a complete answer. */
  stoppedBy: AnswerFailureCode | undefined
  /** Documents whose text the writer was shown, in the evidence or in earlier answers. */
  drewOn: readonly string[]
  trace: AnswerTrace
}

export interface TurnIds {
  threadId: string
  messageId: string
}

export interface StoreDeps {
  conversations: {
    /** Stores a turn; undefined if it must not be stored. */
    storeTurn: (turn: AnsweredTurn) => Promise<TurnIds | undefined>
  }
}

/** Stores the turn. If that fails, the answer is still delivered, only without ids. */
export async function storeTurn(
  turn: AnsweredTurn,
  { conversations, report }: StoreDeps & Pick<AskContext, 'report'>,
): Promise<TurnIds | undefined> {
  try {
    return await conversations.storeTurn(turn)
  } catch (error) {
    report(error, 'storing an answer')
    return undefined
  }
}
