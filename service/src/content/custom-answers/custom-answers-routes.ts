import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { CustomAnswers } from './custom-answers.ts'
import { presentCustomAnswer } from './present-custom-answer.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const customAnswerRoutes = (answers: CustomAnswers) => [
  endpoint(ENDPOINTS.listCustomAnswers, async ({ caller, params, query }) =>
    pageOfRows(
      await answers.list(caller, params.id, parsePageQuery(query)),
      query.limit,
      presentCustomAnswer,
    ),
  ),
  endpoint(ENDPOINTS.createCustomAnswer, async ({ caller, params, body, signal }) =>
    presentCustomAnswer(await answers.create(caller, params.id, body, signal)),
  ),
  endpoint(ENDPOINTS.updateCustomAnswer, async ({ caller, params, body, signal }) =>
    presentCustomAnswer(await answers.change(caller, params.id, body, signal)),
  ),
  endpoint(ENDPOINTS.deleteCustomAnswer, ({ caller, params }) => answers.remove(caller, params.id)),
]
