import { z } from 'zod'
import { ChatBody, ChatFrame, ThreadChatBody } from './chat.ts'
import { declareEndpoints, DELETE, GET, POST } from './endpoint.ts'
import { Feedback, GiveFeedback } from './feedback.ts'
import { idOf } from './fields.ts'
import { PublicKnowledgeBase } from './params.ts'
import { RelatedArticles, RelatedBody } from './related.ts'
import { SearchBody, SearchResults } from './search.ts'
import { SuggestedQuestions } from './suggested-questions.ts'

const about = { caller: 'public-key', room: 'channels/public-api', group: 'Ask and search' } as const

/** Refusals of a request that may name a widget. */
const OF_WIDGET = ['WIDGET_DISABLED', 'ORIGIN_NOT_ALLOWED'] as const
const OF_CHAT = [...OF_WIDGET, 'GROUP_NOT_ALLOWED', 'QUOTA_EXCEEDED'] as const

export const PUBLIC_ENDPOINTS = declareEndpoints({
  chat: {
    ...about,
    ...POST('/api/v1/public/knowledge-bases/{knowledgeBaseId}/chat'),
    summary: 'Ask a question',
    description:
      'Streams the answer as server-sent events: each event is one `data:` line with a JSON frame, without event names.\n\nThe first frame contains the pages that were found, the middle ones pieces of the answer, and the last one (`done: true`) the citations and the ids for continuing the conversation. An error frame ends the stream.',
    params: PublicKnowledgeBase,
    body: ChatBody,
    answer: { status: 200, events: ChatFrame },
    captcha: 'chat',
    refusals: OF_CHAT,
  },
  chatOnThread: {
    ...about,
    ...POST('/api/v1/public/threads/{threadId}/chat'),
    summary: 'Ask a follow-up',
    description:
      'The same stream; earlier turns are taken into account. Send `widget_id` again with each follow-up. A thread only works with the knowledge base and the key that it was started with.',
    params: z.object({ threadId: idOf('thread') }),
    body: ThreadChatBody,
    answer: { status: 200, events: ChatFrame },
    captcha: 'chat',
    refusals: OF_CHAT,
  },
  search: {
    ...about,
    ...POST('/api/v1/public/knowledge-bases/{knowledgeBaseId}/search'),
    summary: 'Search the pages',
    params: PublicKnowledgeBase,
    body: SearchBody,
    answer: { status: 200, body: SearchResults },
    captcha: 'search',
    refusals: [...OF_WIDGET, 'GROUP_NOT_ALLOWED'],
  },
  findRelated: {
    ...about,
    ...POST('/api/v1/public/knowledge-bases/{knowledgeBaseId}/related'),
    summary: 'Find related pages',
    params: PublicKnowledgeBase,
    body: RelatedBody,
    answer: { status: 200, body: RelatedArticles },
  },
  suggestQuestions: {
    ...about,
    ...GET('/api/v1/public/knowledge-bases/{knowledgeBaseId}/suggested-questions'),
    summary: 'List suggested questions',
    description:
      'Derived from titles of public pages, your own list, or none, depending on the settings of the knowledge base.',
    params: PublicKnowledgeBase,
    answer: { status: 200, body: SuggestedQuestions },
  },
  giveFeedback: {
    ...about,
    ...POST('/api/v1/public/feedback'),
    summary: 'Rate an answer',
    description: 'An answer has one rating: posting again replaces it.',
    body: GiveFeedback,
    answer: { status: 201, body: Feedback },
    captcha: 'feedback',
    refusals: ['NOT_FOUND', 'FORBIDDEN'],
  },
  withdrawFeedback: {
    ...about,
    ...DELETE('/api/v1/public/feedback/{messageId}'),
    summary: 'Withdraw a rating',
    params: z.object({ messageId: idOf('message') }),
    answer: { status: 204 },
    refusals: ['FORBIDDEN'],
  },
})
