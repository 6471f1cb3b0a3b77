import { z } from 'zod'
import { Citation } from './chat.ts'
import { declareEndpoints, CALLED_BY } from './endpoint.ts'
import { fraction, idOf, nullableText, recordFields, text, Timestamp, wholeNumber } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'
import { Surface } from './surfaces.ts'

const Covered = z.boolean().meta({
  description: 'False if the answer says that the knowledge base does not cover the question.',
  examples: [true],
})

export const Rating = z
  .object({
    vote: z.enum(['up', 'down']),
    comment: nullableText(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Rating', description: "A reader's rating of an answer." })

/** Milliseconds as answers show them. */
export const Milliseconds = z
  .number()
  .min(0)
  .nullable()
  .meta({ description: 'Milliseconds. Null if this point was never reached.', examples: [412] })

export const Message = z
  .object({
    ...recordFields,
    conversation_id: idOf('conversation'),
    query: z.string().meta({ description: 'The question.', examples: ['How do I rotate an API key?'] }),
    rewritten_query: nullableText().describe('What was searched for, if it differs from the question.'),
    answer: nullableText('Keys are rotated every day at midnight [1].').describe('Null if it is withheld.'),
    citations: z.array(Citation),
    withheld: z.boolean().meta({
      description:
        'True if the answer is based on pages that you may not read: restricted ones, if you may not chat in the knowledge base.',
      examples: [false],
    }),
    covered: Covered,
    confidence: fraction(0.86),
    stopped_by: nullableText().describe(
      'Why it ended early: an `error_code`, or `cancelled` by its reader. Null for a complete answer.',
    ),
    rating: Rating.nullable().describe('Null if it was not rated.'),
    first_ms: Milliseconds,
    total_ms: Milliseconds,
  })
  .meta({
    id: 'Message',
    description: 'A question with its answer. `first_ms` is the time to the first piece of the answer.',
  })

export type Message = z.infer<typeof Message>

export const ConversationSummary = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    surface: Surface,
    user: nullableText('user-42').describe(
      'The reader as named by the caller. For the surface `team`, the id of the member.',
    ),
    client_key_id: idOf('client key')
      .nullable()
      .describe('The client key of the caller. Null if a member asked.'),
    first_query: z
      .string()
      .meta({ description: 'Its first question.', examples: ['How do I rotate an API key?'] }),
    message_count: wholeNumber(2),
    covered: z
      .boolean()
      .nullable()
      .meta({
        description: 'False if one of its answers was not covered. Null if no answer was finished.',
        examples: [true],
      }),
    ratings: z
      .object({ up: z.int().min(0), down: z.int().min(0) })
      .meta({ description: 'Number of its answers with each rating.', examples: [{ up: 1, down: 0 }] }),
  })
  .meta({ id: 'ConversationSummary', description: 'A conversation without its messages.' })

export type ConversationSummary = z.infer<typeof ConversationSummary>

export const Conversation = ConversationSummary.extend({
  messages: z
    .array(Message)
    .describe(
      `Its questions with their answers, oldest first: the first ${LIMITS.conversationMessages.toLocaleString('en')}.`,
    ),
}).meta({ id: 'Conversation', description: 'A conversation with its messages.' })

export type Conversation = z.infer<typeof Conversation>

/** A day, or a moment. */
export const Moment = z.union([z.iso.date(), z.iso.datetime()], {
  error: 'must be a day (2026-03-09) or a time in UTC (2026-03-09T14:05:00Z)',
})

export const ConversationQuery = PageQuery.extend({
  surface: Surface.optional(),
  rating: z
    .enum(['up', 'down'])
    .optional()
    .describe('Only conversations with an answer that has this rating.'),
  covered: z
    .enum(['true', 'false'])
    .transform((given) => given === 'true')
    .optional()
    .describe('Compared with `covered` of the conversation.'),
  from: Moment.optional().meta({
    description: 'Started at this time or later; a day counts from its start, in UTC.',
    examples: ['2026-03-09'],
  }),
  to: Moment.optional().meta({
    description: 'Started before this time; a day counts to its end.',
    examples: ['2026-03-15'],
  }),
  text: text(1, LIMITS.conversationText)
    .optional()
    .meta({
      description: 'Only if one question with its answer contains all of these words, in any inflected form.',
      examples: ['rotate keys'],
    }),
  user: text(1, 320)
    .optional()
    .meta({ description: 'Only of this reader.', examples: ['user-42'] }),
})

export type ConversationQuery = z.output<typeof ConversationQuery>

const conversations = recordEndpoints({
  room: 'answers/conversations',
  group: 'Conversations',
  path: 'conversations',
  record: Conversation,
  page: pageOf(ConversationSummary, 'ConversationPage'),
  reading: CALLED_BY.configurers,
})

export const CONVERSATION_ENDPOINTS = declareEndpoints({
  listConversations: {
    ...conversations.list({
      summary: 'List the conversations',
      description:
        'Most recently started first. Several filters are combined with AND. Reports of AI tools are listed at `/api/v1/knowledge-bases/{id}/reports`.',
    }),
    query: ConversationQuery,
  },
  getConversation: conversations.get({ summary: 'Read a conversation' }),
  deleteConversation: conversations.remove({
    summary: 'Delete a conversation',
    description:
      'Permanently, with its answers, ratings and traces; it no longer counts in the analytics. Also works on an archived knowledge base.',
  }),
})
