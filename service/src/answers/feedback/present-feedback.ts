import type { Feedback } from '@citewell/contract/feedback'

export interface FeedbackRecord {
  id: string
  workspaceId: string
  messageId: string
  vote: 'up' | 'down'
  comment: string | undefined
  /** The surface of the answer. */
  source: string
  createdAt: Date
  updatedAt: Date
}

/** A rating as the API shows it. */
export const presentFeedback = (given: FeedbackRecord): Feedback => ({
  id: given.id,
  workspace_id: given.workspaceId,
  message_id: given.messageId,
  vote: given.vote,
  comment: given.comment ?? null,
  source: given.source,
  created_at: given.createdAt.toISOString(),
  updated_at: given.updatedAt.toISOString(),
})
