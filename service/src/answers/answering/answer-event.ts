import type { AnswerFailureCode } from '@citewell/contract/refusals'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Citation } from '../citations/citations.ts'
import type { TurnIds } from './steps/store-turn.ts'

/** What happens while a question is answered, in this order: found, deltas, then finished or failed. */
export type AnswerEvent =
  | { kind: 'found'; citations: Citation[] }
  | { kind: 'delta'; text: string }
  | {
      kind: 'finished'
      cited: Citation[]
      covered: boolean
      /** 0 to 1. */
      confidence: number
      /** The whole answer, where it is another than the deltas made. */
      rewritten: string | undefined
      /** Undefined when nothing was kept. */
      ids: TurnIds | undefined
    }
  /** `because`: the service ended it, since its base or key went away meanwhile. */
  | { kind: 'failed'; code: AnswerFailureCode; retryable: boolean; because?: Refusal }
