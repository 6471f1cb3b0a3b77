import type { DroppedMarker } from '../citations/citations.ts'
import type { Coverage } from './coverage-gate.ts'

/** How an answer came about, for the people who look after the knowledge base. Kept with the message. */
export interface AnswerTrace {
  rewrittenQuery: string | undefined
  searchMode: 'hybrid' | 'lexical' | undefined
  /** Best first. */
  retrieved: {
    chunkId: string
    documentId: string
    title: string
    score: number
    similarity: number | undefined
    lexicalScore: number | undefined
  }[]
  coverage: Coverage | undefined
  /** What the writer was shown: the passages under each number. */
  evidence: { number: number; chunkIds: string[] }[]
  /** Name of the model that wrote; undefined for quotes, and where nothing was written. */
  model: string | undefined
  /** Citations that were taken out of the answer. */
  dropped: DroppedMarker[]
  /** Time of each step in milliseconds. */
  steps: { name: string; ms: number }[]
}

export function newTrace(): AnswerTrace {
  return {
    rewrittenQuery: undefined,
    searchMode: undefined,
    retrieved: [],
    coverage: undefined,
    evidence: [],
    model: undefined,
    dropped: [],
    steps: [],
  }
}
