import type { AnswerFailureCode } from '@citewell/contract/refusals'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Citation } from '../citations/citations.ts'
import type { TurnIds } from './steps/store-turn.ts'

/** The events of an answer, in this order: found, deltas, then finished or failed. */
export type AnswerEvent =
  | { kind: 'found'; citations: Citation[] }
  | { kind: 'delta'; text: string }
  | {
      kind: 'finished'
      cited: Citation[]
      covered: boolean
      /** 0 to 1. */
      confidence: number
      /** The whole final answer, if it differs from the concatenated deltas. */
      rewritten: string | undefined
      /** Undefined if the turn was not stored. */
      ids: TurnIds | undefined
    }
  /** `because`: the service ended the answer, because its base or key was closed meanwhile. */
  | { kind: 'failed'; code: AnswerFailureCode; retryable: boolean; because?: Refusal }
