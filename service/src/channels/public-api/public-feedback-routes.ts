import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Feedback } from '../../answers/feedback/feedback.ts'
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
      return {
        id: given.id,
        workspace_id: given.workspaceId,
        message_id: given.messageId,
        vote: given.vote,
        comment: given.comment ?? null,
        source: given.source,
        created_at: given.createdAt.toISOString(),
        updated_at: given.updatedAt.toISOString(),
      }
    }),
    endpoint(ENDPOINTS.withdrawFeedback, async ({ caller, params }) => {
      await feedback.withdraw(caller.base.id, params.messageId)
    }),
  ]
}
