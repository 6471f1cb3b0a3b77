import type { Passage } from '../../content/search/search.ts'
import type { CitationCheck, DroppedMarker } from '../citations/citations.ts'
import type { Coverage } from './coverage-gate.ts'
import type { EarlierTurn, Question, Voice } from './question.ts'

/** What is stored of a passage that was found. */
export type TracedPassage = Pick<
  Passage,
  | 'chunkId'
  | 'documentId'
  | 'title'
  | 'url'
  | 'headingPath'
  | 'versionLabel'
  | 'score'
  | 'similarity'
  | 'sentenceSimilarity'
  | 'coverage'
  | 'lexicalScore'
>

/** What the writer was shown under one number. */
export interface TracedEvidence {
  number: number
  chunkIds: string[]
  documentId: string
  /** The exact text. */
  shown: string
}

/** How an answer was produced, for the team of the knowledge base. Stored with the message. */
export interface AnswerTrace {
  /** The parameters of the question, to replay it. */
  asked: Pick<Question, 'topK' | 'groupIds' | 'sourceIds' | 'includeRestricted'> & { voice: Voice }
  /** Earlier turns of the conversation that were taken into account. */
  earlier: readonly EarlierTurn[]
  rewrittenQuery: string | undefined
  searchMode: 'hybrid' | 'lexical' | undefined
  /** Best first. */
  retrieved: TracedPassage[]
  coverage: Coverage | undefined
  evidence: TracedEvidence[]
  /** Undefined if it failed before writing. */
  writer: 'model' | 'quotes' | 'nobody' | undefined
  /** Name of the model that wrote; undefined for quotes, and if nothing was written. */
  model: string | undefined
  /** The exact system prompt of the model: the rules and the owner's style instructions. */
  instructions: string | undefined
  /** The answer before its citations were checked. */
  written: string
  checks: CitationCheck[]
  /** Citations that were removed from the answer. */
  dropped: DroppedMarker[]
  /** Duration of each step in milliseconds, in order. */
  steps: { name: string; ms: number }[]
  /** Milliseconds from the question to the first piece of the answer; undefined if there was none. */
  firstMs: number | undefined
  /** The same until the end of the answer. */
  totalMs: number | undefined
}

/** The trace of a question before its first step. */
export const newTrace = (asked: AnswerTrace['asked']): AnswerTrace => ({
  asked,
  earlier: [],
  rewrittenQuery: undefined,
  searchMode: undefined,
  retrieved: [],
  coverage: undefined,
  evidence: [],
  writer: undefined,
  model: undefined,
  instructions: undefined,
  written: '',
  checks: [],
  dropped: [],
  steps: [],
  firstMs: undefined,
  totalMs: undefined,
})
