import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { Id, text } from './fields.ts'
import { OfWorkspace } from './workspaces.ts'

/** Which conversations go: those of one reader, those before a day, or all of them; and of one base, or of all. */
export const PurgeConversations = z
  .strictObject({
    knowledge_base_id: Id.optional().meta({ description: 'Only those of this knowledge base.' }),
    user: text(1, 500)
      .optional()
      .meta({
        description:
          'Only those of this reader: the `user.id` or `user.email` that was sent with the questions.',
        examples: ['ada@example.com'],
      }),
    everything: z.literal(true).optional().meta({
      description: 'Has to be sent where no reader is named, so that nobody empties a workspace by mistake.',
    }),
  })
  .refine(({ user, everything }) => (user === undefined) === (everything === true), {
    error: 'send either user or everything: true',
    path: ['user'],
  })
  .meta({ id: 'PurgeConversations', examples: [{ user: 'ada@example.com' }] })

export type PurgeConversations = z.infer<typeof PurgeConversations>

export const PurgedConversations = z
  .object({
    conversations: z
      .int()
      .min(0)
      .meta({ description: 'How many were deleted.', examples: [12] }),
    reports: z
      .int()
      .min(0)
      .meta({ description: 'How many reports of AI tools were deleted with them.', examples: [0] }),
    approvals: z
      .int()
      .min(0)
      .meta({ description: 'How many approvals: none where a reader was named.', examples: [0] }),
    simulations: z
      .int()
      .min(0)
      .meta({ description: 'How many simulations: none where a reader was named.', examples: [0] }),
  })
  .meta({ id: 'PurgedConversations', description: 'What a purge took away.' })

export type PurgedConversations = z.infer<typeof PurgedConversations>

export const CONVERSATION_PURGE_ENDPOINTS = declareEndpoints({
  purgeConversations: {
    caller: 'access-token',
    room: 'answers/retention',
    group: 'Workspaces',
    method: 'POST',
    path: '/api/v1/workspaces/{id}/purge',
    summary: 'Purge conversations',
    description:
      'Deletes conversations for good, with their messages, traces, ratings, and the deliveries to webhooks that told of them, and what AI tools reported: those of one reader, or all, then with approvals and simulations. It can be asked again: whatever a broken one left is deleted then.',
    scope: 'admin',
    permission: 'administer',
    params: OfWorkspace,
    body: PurgeConversations,
    answer: { status: 200, body: PurgedConversations },
  },
})
