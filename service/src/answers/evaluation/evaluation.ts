import type { BaseHooks } from '../../accounts/knowledge-bases/knowledge-bases.ts'

export { createEvaluationSet } from './evaluation-set.ts'
export { createHeldSyncsMeasuring } from './measure-held-syncs.ts'
export { createEvaluationRuns, EVALUATION_ABANDONED_AFTER_SECONDS } from './evaluation-runs.ts'

export const evaluationHooks: BaseHooks = {
  records: [
    { noun: 'evaluation-questions', table: 'evaluation_questions' },
    { noun: 'evaluations', table: 'evaluations' },
  ],
}
