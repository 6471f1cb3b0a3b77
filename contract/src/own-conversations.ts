import { Conversation, ConversationSummary } from './conversations.ts'
import { declareEndpoints, DELETE, GET } from './endpoint.ts'
import { idOf } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OneRecord } from './params.ts'

const about = {
  caller: 'access-token',
  room: 'answers/conversations',
  group: 'Ask as a member',
  permission: 'member',
} as const

/** What a member asked themselves. All conversations of a base are read with Config: see `CONVERSATION_ENDPOINTS`. */
export const OWN_CONVERSATION_ENDPOINTS = declareEndpoints({
  listMyConversations: {
    ...about,
    ...GET('/api/v1/me/conversations'),
    summary: 'List your conversations',
    description:
      'What you asked as a member, in all knowledge bases that you may still chat in. Most recently started first. Empty under zero retention.',
    scope: 'read',
    query: PageQuery.extend({ knowledge_base_id: idOf('knowledge base').optional() }),
    answer: { status: 200, body: pageOf(ConversationSummary, 'OwnConversationPage') },
  },
  getMyConversation: {
    ...about,
    ...GET('/api/v1/me/conversations/{id}'),
    summary: 'Read one of your conversations',
    scope: 'read',
    params: OneRecord,
    answer: { status: 200, body: Conversation },
  },
  deleteMyConversation: {
    ...about,
    ...DELETE('/api/v1/me/conversations/{id}'),
    summary: 'Delete one of your conversations',
    description:
      'Permanently, with its answers, ratings and traces; it no longer counts in the analytics. Also works on an archived knowledge base.',
    scope: 'config',
    params: OneRecord,
    recordedBy: 'room',
    answer: { status: 204 },
  },
})
