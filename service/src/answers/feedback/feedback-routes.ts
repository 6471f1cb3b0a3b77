import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { ListedFeedback } from '@citewell/contract/feedback'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { pageWith } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { cursorOf, readCursor } from '../conversations/conversations.ts'
import type { Feedback } from './feedback.ts'
import type { RatedQuestion } from './feedback-store.ts'
import { presentFeedback } from './present-feedback.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentListed = (row: RatedQuestion, workspaceId: string): ListedFeedback => ({
  id: row.id,
  workspace_id: workspaceId,
  knowledge_base_id: row.knowledge_base_id,
  conversation_id: row.thread_id,
  message_id: row.message_id,
  query: row.query,
  covered: row.covered,
  vote: row.vote,
  comment: row.comment,
  source: row.source,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** Ratings of answers that members were given, and the list of all ratings of a base. */
export const feedbackRoutes = (feedback: Feedback) => [
  endpoint(ENDPOINTS.listFeedback, async ({ caller, params, query }) => {
    const { vote, has_comment: hasComment, limit } = query
    const of = { vote, hasComment, after: readCursor(query.cursor), limit: limit + 1 }
    const { workspaceId, ratings } = await feedback.list(caller, params.id, of)
    return pageWith(ratings, limit, (row) => presentListed(row, workspaceId), cursorOf)
  }),
  endpoint(ENDPOINTS.rateMessage, async ({ caller, params, body }) => {
    const { vote, comment } = body
    const given = { messageId: params.id, vote, comment: comment ?? undefined }
    return presentFeedback(await feedback.giveAsMember(caller, given))
  }),
  endpoint(ENDPOINTS.withdrawRating, ({ caller, params }) => feedback.withdrawAsMember(caller, params.id)),
]
