import { z } from 'zod'
import { declareEndpoints, CALLED_BY, POST } from './endpoint.ts'
import { Id, text, wholeNumber } from './fields.ts'
import { OfWorkspace } from './workspaces.ts'

/** What to delete: the conversations of one reader, those before a day, or all; of one base, or of all bases. */
export const PurgeConversations = z
  .strictObject({
    knowledge_base_id: Id.optional().describe('Only those of this knowledge base.'),
    user: text(1, 500)
      .optional()
      .meta({
        description:
          'Only those of this reader: the `user.id` or `user.email` that was sent with the questions.',
        examples: ['ada@example.com'],
      }),
    everything: z
      .literal(true)
      .optional()
      .describe('Required if no reader is named, so that a workspace is not emptied by mistake.'),
  })
  .refine(({ user, everything }) => (user === undefined) === (everything === true), {
    error: 'must have either user or everything: true',
  })
  .meta({ id: 'PurgeConversations', examples: [{ user: 'ada@example.com' }] })

export type PurgeConversations = z.infer<typeof PurgeConversations>

export const PurgedConversations = z
  .object({
    conversations: wholeNumber(12).describe('How many were deleted.'),
    reports: wholeNumber().describe('How many reports of AI tools were deleted with them.'),
    approvals: wholeNumber().describe('How many approvals were deleted: none if a reader was named.'),
    simulations: wholeNumber().describe('How many simulations were deleted: none if a reader was named.'),
  })
  .meta({ id: 'PurgedConversations', description: 'The result of a purge.' })

export type PurgedConversations = z.infer<typeof PurgedConversations>

export const CONVERSATION_PURGE_ENDPOINTS = declareEndpoints({
  purgeConversations: {
    caller: 'access-token',
    room: 'answers/retention',
    group: 'Workspaces',
    ...POST('/api/v1/workspaces/{id}/purge'),
    summary: 'Purge conversations',
    description:
      'Permanently deletes conversations with their messages, traces and ratings, the webhook deliveries about them, and reports of AI tools: those of one reader, or all, then also approvals and simulations. It is safe to repeat: a repetition deletes whatever an interrupted purge left.',
    ...CALLED_BY.admins,
    params: OfWorkspace,
    body: PurgeConversations,
    answer: { status: 200, body: PurgedConversations },
  },
})
