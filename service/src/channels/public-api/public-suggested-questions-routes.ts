import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SuggestedQuestions } from '../../answers/suggested-questions/suggested-questions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { PublicCaller } from './public-caller.ts'
import { groupsOfKey } from './request-scope.ts'

const endpoint = endpointsFor<'public-key', PublicCaller>()

export function createPublicSuggestedQuestionsRoutes(deps: {
  suggestedQuestions: Pick<SuggestedQuestions, 'list'>
}) {
  return [
    endpoint(ENDPOINTS.suggestQuestions, async ({ caller }) => ({
      questions: await deps.suggestedQuestions.list(caller.base.id, groupsOfKey(caller.clientKey)),
    })),
  ]
}
