import type { CitationCheck, DroppedMarker } from '../citations/citations.ts'
import type { Coverage } from './coverage-gate.ts'
import type { EarlierTurn, Question, Voice } from './question.ts'

/** A passage that was found, with all that is known of how well it fits. */
export interface TracedPassage {
  chunkId: string
  documentId: string
  title: string
  url: string
  headingPath: string[]
  versionLabel: string | undefined
  /** 0 to 1, of everything below. */
  score: number
  /** Cosine to the question; undefined where words alone were searched. */
  similarity: number | undefined
  /** Cosine of its nearest sentence. */
  sentenceSimilarity: number | undefined
  /** Part of the question's words that it holds. */
  coverage: number
  /** BM25, where its words matched. */
  lexicalScore: number | undefined
}

/** What the writer was shown under one number. */
export interface TracedEvidence {
  number: number
  chunkIds: string[]
  documentId: string
  /** To the letter. */
  shown: string
}

/** How an answer came about, for the people who look after the knowledge base. Kept with the message. */
export interface AnswerTrace {
  /** What the question came with, for a repetition. */
  asked: Pick<Question, 'topK' | 'groupIds' | 'sourceIds' | 'includeRestricted'> & { voice: Voice }
  /** Earlier turns of the conversation that were looked at. */
  earlier: readonly EarlierTurn[]
  rewrittenQuery: string | undefined
  searchMode: 'hybrid' | 'lexical' | undefined
  /** Best first. */
  retrieved: TracedPassage[]
  coverage: Coverage | undefined
  evidence: TracedEvidence[]
  /** Undefined where it never came to writing. */
  writer: 'model' | 'quotes' | 'nobody' | undefined
  /** Name of the model that wrote; undefined for quotes, and where nothing was written. */
  model: string | undefined
  /** What the model was told to do, to the letter: the owner's words, and the rules. */
  instructions: string | undefined
  /** The answer as it was written, before its citations were checked. */
  written: string
  checks: CitationCheck[]
  /** Citations that were taken out of the answer. */
  dropped: DroppedMarker[]
  /** Time of each step in milliseconds, in their order. */
  steps: { name: string; ms: number }[]
  /** Milliseconds from the question to the first piece of the answer; undefined where none came. */
  firstMs: number | undefined
  /** The same to the end of the answer. */
  totalMs: number | undefined
}

export function newTrace({ topK, groupIds, sourceIds, includeRestricted, voice }: Question): AnswerTrace {
  return {
    asked: { topK, groupIds, sourceIds, includeRestricted, voice },
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
  }
}
