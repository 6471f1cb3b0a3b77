import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Feedback } from './feedback.ts'
import { presentFeedback } from './present-feedback.ts'

const endpoint = endpointsFor<'access-token', Caller>()

/** Ratings of answers that members were given. */
export const feedbackRoutes = (feedback: Feedback) => [
  endpoint(ENDPOINTS.rateMessage, async ({ caller, params, body }) => {
    const { vote, comment } = body
    const given = { messageId: params.id, vote, comment: comment ?? undefined }
    return presentFeedback(await feedback.giveAsMember(caller, given))
  }),
  endpoint(ENDPOINTS.withdrawRating, ({ caller, params }) => feedback.withdrawAsMember(caller, params.id)),
]
