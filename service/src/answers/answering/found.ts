import type { Passage } from '../../content/search/search.ts'
import type { ComparedPassages } from './compare-passages.ts'
import type { Coverage } from './coverage-gate.ts'
import type { Evidence } from '../citations/citations.ts'
import type { CustomAnswerFound } from './steps/find-custom-answer.ts'

/** What a writer gets of what was found for a question. */
export interface Found {
  query: string
  evidence: readonly Evidence[]
  coverage: Coverage
  /** Undefined if the question was not read together with the passages. */
  compared: ComparedPassages | undefined
  /** The owner's custom answer to this very question; set only if no model answers. */
  custom: CustomAnswerFound | undefined
}

/** All that was found, also what the writer does not get. */
export interface AllFound extends Found {
  mode: 'hybrid' | 'lexical'
  passages: readonly Passage[]
}
