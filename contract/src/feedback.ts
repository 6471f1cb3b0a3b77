import { z } from 'zod'
import { declareEndpoints, CALLED_BY, GET } from './endpoint.ts'
import { Id, idOf, nullableText, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

const VOTE_OF_RATING = { up: 'up', down: 'down', 5: 'up', 1: 'down' } as const

/** `POST …/feedback`. The numbers are the format of an older client: rooms only see `up` or `down`. */
export const GiveFeedback = z
  .object({
    message_id: Id.describe('`message_id` of the last chat frame.'),
    rating: z
      .union([z.literal('up'), z.literal('down'), z.literal(5), z.literal(1)], {
        error: 'must be up or down',
      })
      .transform((rating) => VOTE_OF_RATING[rating])
      .meta({ description: '`up` or `down`. The older values 5 and 1 mean the same.', examples: ['up'] }),
    comment: text(0, LIMITS.feedbackComment)
      .nullish()
      .meta({ examples: ['Exactly what I needed.'] }),
  })
  .meta({ id: 'GiveFeedback' })

export type GiveFeedback = z.infer<typeof GiveFeedback>

export const Feedback = z
  .object({
    ...recordFields,
    workspace_id: idOf('workspace'),
    message_id: idOf('message'),
    vote: z.enum(['up', 'down']),
    comment: nullableText(),
    source: z.string().meta({ description: 'Where the answer was given.', examples: ['api'] }),
  })
  .meta({ id: 'Feedback', description: 'The rating of one answer.' })

export type Feedback = z.infer<typeof Feedback>

/** `PUT /messages/{id}/rating`. */
export const RateMessage = z
  .strictObject({
    vote: z.enum(['up', 'down'], { error: 'must be up or down' }),
    comment: text(0, LIMITS.feedbackComment)
      .nullish()
      .meta({ examples: ['Exactly what I needed.'] }),
  })
  .meta({ id: 'RateMessage', examples: [{ vote: 'up' }] })

const ofMember = {
  caller: 'access-token',
  room: 'answers/feedback',
  group: 'Ask as a member',
  scope: 'read',
  permission: 'chat',
  path: '/api/v1/messages/{id}/rating',
  params: OneRecord,
  recordedBy: 'nobody',
  refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
} as const

/** Ratings of answers that a member was given. Those of readers are in the public API. */
export const RATING_ENDPOINTS = declareEndpoints({
  rateMessage: {
    ...ofMember,
    method: 'PUT',
    summary: 'Rate an answer as a member',
    description:
      'Only an answer of your own conversations, in a knowledge base that you may chat in. An answer has one rating: sending another replaces it. It counts like the ratings of readers; its `source` is `team`.',
    body: RateMessage,
    answer: { status: 200, body: Feedback },
  },
  withdrawRating: {
    ...ofMember,
    method: 'DELETE',
    summary: 'Withdraw your rating of an answer',
    answer: { status: 204 },
  },
})

/** A rating in the list of a base. */
export const ListedFeedback = Feedback.extend({
  knowledge_base_id: idOf('knowledge base'),
  conversation_id: idOf('conversation'),
  query: z.string().meta({ description: 'The question.', examples: ['How do I rotate an API key?'] }),
  covered: z.boolean().meta({ examples: [true] }),
}).meta({ id: 'ListedFeedback', description: 'A rating with the question that was answered.' })

export type ListedFeedback = z.infer<typeof ListedFeedback>

const FeedbackQuery = PageQuery.extend({
  vote: z.enum(['up', 'down']).optional(),
  has_comment: z
    .enum(['true', 'false'])
    .transform((given) => given === 'true')
    .optional()
    .describe('Only ratings with a comment, or only those without.'),
})

export const FEEDBACK_ENDPOINTS = declareEndpoints({
  listFeedback: {
    caller: 'access-token',
    room: 'answers/feedback',
    group: 'Conversations',
    ...GET('/api/v1/knowledge-bases/{id}/feedback'),
    summary: 'List the ratings',
    description:
      'Of readers and members, first given last. Comments are text from unknown people: do not render them as HTML or Markdown.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    query: FeedbackQuery,
    answer: { status: 200, body: pageOf(ListedFeedback, 'FeedbackPage') },
  },
})
