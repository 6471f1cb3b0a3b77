import { ENDPOINTS } from '@citewell/contract/endpoints'
import { presentFeedback, type Feedback } from '../../answers/feedback/feedback.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { PublicCaller } from './public-caller.ts'

const endpoint = endpointsFor<'public-key', PublicCaller>()

export function createPublicFeedbackRoutes({ feedback }: { feedback: Feedback }) {
  return [
    endpoint(ENDPOINTS.giveFeedback, async ({ caller, body }) => {
      const given = await feedback.give(caller.base.id, {
        messageId: body.message_id,
        vote: body.rating,
        comment: body.comment ?? undefined,
      })
      return presentFeedback(given)
    }),
    endpoint(ENDPOINTS.withdrawFeedback, async ({ caller, params }) => {
      await feedback.withdraw(caller.base.id, params.messageId)
    }),
  ]
}
