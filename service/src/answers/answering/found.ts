import type { Passage } from '../../content/search/search.ts'
import type { ComparedPassages } from './compare-passages.ts'
import type { Coverage } from './coverage-gate.ts'
import type { Evidence } from '../citations/citations.ts'
import type { CustomAnswerFound } from './steps/find-custom-answer.ts'

/** What was found for a question, and the part of it that the writer gets. */
export interface Found {
  query: string
  mode: 'hybrid' | 'lexical'
  passages: readonly Passage[]
  evidence: readonly Evidence[]
  coverage: Coverage
  /** Undefined if the question was not read together with the passages. */
  compared: ComparedPassages | undefined
  /** The owner's custom answer to this very question; set only if no model answers. */
  custom: CustomAnswerFound | undefined
}
