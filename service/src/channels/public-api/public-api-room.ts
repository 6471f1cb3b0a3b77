import type { Gate } from '../../platform/http/endpoint.ts'
import { createPublicGate, type PublicCaller, type PublicGateDeps } from './public-caller.ts'
import { createPublicChatRoutes, type PublicChatDeps } from './public-chat-routes.ts'
import { createPublicFeedbackRoutes } from './public-feedback-routes.ts'
import { createPublicSearchRoutes, type PublicSearchDeps } from './public-search-routes.ts'
import { createPublicSuggestedQuestionsRoutes } from './public-suggested-questions-routes.ts'

export interface PublicApiDeps extends PublicGateDeps, PublicChatDeps, PublicSearchDeps {
  feedback: Parameters<typeof createPublicFeedbackRoutes>[0]['feedback']
  suggestedQuestions: Parameters<typeof createPublicSuggestedQuestionsRoutes>[0]['suggestedQuestions']
}

/** What strangers can reach with a client key: the gate, and the routes behind it. */
export function createPublicApi(deps: PublicApiDeps) {
  const gate: Gate<PublicCaller> = createPublicGate(deps)
  const routes = [
    ...createPublicChatRoutes(deps),
    ...createPublicSearchRoutes(deps),
    ...createPublicSuggestedQuestionsRoutes(deps),
    ...createPublicFeedbackRoutes(deps),
  ]
  return { gate, routes }
}
