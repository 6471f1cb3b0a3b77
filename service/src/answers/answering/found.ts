import type { Passage } from '../../content/search/search.ts'
import type { Coverage } from './coverage-gate.ts'
import type { ChosenEvidence } from './steps/choose-evidence.ts'
import type { CustomAnswerFound } from './steps/find-custom-answer.ts'

/** What was found for a question, and what of it the writer gets. */
export interface Found {
  query: string
  mode: 'hybrid' | 'lexical'
  passages: readonly Passage[]
  evidence: readonly ChosenEvidence[]
  coverage: Coverage
  /** What the owner wrote to this very question, where nobody else is to answer. */
  custom: CustomAnswerFound | undefined
}
