import { ENDPOINTS } from '@citewell/contract/endpoints'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { EvaluationRuns } from './evaluation-runs.ts'
import type { EvaluationSet } from './evaluation-set.ts'
import { presentCompared, presentQuestion, presentRun } from './present-evaluation.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const evaluationRoutes = ({ set, runs }: { set: EvaluationSet; runs: EvaluationRuns }) => [
  ...recordRoutes(
    {
      list: ENDPOINTS.listEvaluationQuestions,
      create: ENDPOINTS.createEvaluationQuestion,
      change: ENDPOINTS.updateEvaluationQuestion,
      remove: ENDPOINTS.deleteEvaluationQuestion,
    },
    set,
    presentQuestion,
  ),
  endpoint(ENDPOINTS.importEvaluationQuestions, ({ caller, params, body }) =>
    set.importQuestions(caller, params.id, body),
  ),
  ...recordRoutes(
    {
      list: ENDPOINTS.listEvaluations,
      create: ENDPOINTS.createEvaluation,
      remove: ENDPOINTS.deleteEvaluation,
    },
    runs,
    presentRun,
  ),
  endpoint(ENDPOINTS.getEvaluation, async ({ caller, params, query }) =>
    presentCompared(await runs.get(caller, params.id, query.against)),
  ),
  endpoint(ENDPOINTS.cancelEvaluation, async ({ caller, params }) =>
    presentRun(await runs.cancel(caller, params.id)),
  ),
]
