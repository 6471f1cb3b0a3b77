import { newTrace, type AnswerTrace, type AnsweredTurn } from '../answering/answering.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { storedCitations, type Citation } from '../citations/citations.ts'
import type { TracedMessage } from './traces-store.ts'

/** An answer with its trace, stored or replayed. */
export interface TracedAnswer {
  query: string
  rewrittenQuery: string | undefined
  answer: string
  citations: readonly Citation[]
  covered: boolean
  confidence: number
  stoppedBy: string | undefined
  drewOn: readonly string[]
  trace: AnswerTrace
}

/** A replayed answer. */
export function tracedTurn(turn: AnsweredTurn): TracedAnswer {
  return { ...turn, query: turn.question.query }
}

/** A stored answer with current addresses of its pages. Fields that its trace lacks are empty. */
export function tracedMessage(
  message: TracedMessage,
  addressOf: (document: AddressedDocument) => string,
): TracedAnswer {
  // `storeTurn` wrote the columns.
  const kept = message.trace as unknown as Partial<AnswerTrace>
  return {
    query: message.query,
    rewrittenQuery: message.rewritten_query ?? undefined,
    answer: message.answer,
    citations: storedCitations(message.citations as Citation[], addressOf),
    covered: message.covered,
    confidence: message.confidence,
    stoppedBy: message.stopped_by ?? undefined,
    drewOn: message.drew_on,
    trace: {
      ...EMPTY,
      ...kept,
      retrieved: (kept.retrieved ?? []).map((passage) => ({ ...passage, url: addressOf(passage) })),
    },
  }
}

/** For fields that a trace lacks because it was stored by an earlier version. */
const EMPTY = newTrace({
  topK: 15,
  groupIds: undefined,
  includeRestricted: false,
  voice: { persona: undefined, tone: undefined, standingInstructions: undefined },
})

/** Every document that a trace mentions. */
export function documentsOf({ trace, citations, drewOn }: TracedAnswer): string[] {
  return [
    ...drewOn,
    ...trace.retrieved.map(({ documentId }) => documentId),
    ...trace.evidence.map(({ documentId }) => documentId),
    ...citations.map(({ document_id }) => document_id),
  ]
}
