import { ChatBody, ChatFrame } from './chat.ts'
import { declareEndpoints, GET, POST } from './endpoint.ts'
import { InKnowledgeBase } from './params.ts'
import { SearchBody, SearchResults } from './search.ts'
import { SuggestedQuestions } from './suggested-questions.ts'

const about = {
  caller: 'access-token',
  room: 'channels/team-api',
  group: 'Ask as a member',
  scope: 'read',
} as const

/** The questions of the public API, asked by members of the workspace: also on internal bases, and with restricted pages. */
export const TEAM_CHAT_ENDPOINTS = declareEndpoints({
  askAsMember: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/chat'),
    summary: 'Ask a question as a member',
    description: 'The stream of the public chat. Restricted documents are used too.',
    permission: 'chat',
    params: InKnowledgeBase,
    body: ChatBody,
    recordedBy: 'nobody',
    answer: { status: 200, events: ChatFrame },
    refusals: ['GROUP_NOT_ALLOWED', 'KNOWLEDGE_BASE_ARCHIVED', 'QUOTA_EXCEEDED'],
  },
  searchAsMember: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/search'),
    summary: 'Search the pages as a member',
    permission: 'chat',
    params: InKnowledgeBase,
    body: SearchBody,
    recordedBy: 'nobody',
    answer: { status: 200, body: SearchResults },
    refusals: ['GROUP_NOT_ALLOWED', 'KNOWLEDGE_BASE_ARCHIVED'],
  },
  suggestQuestionsToMember: {
    ...about,
    ...GET('/api/v1/knowledge-bases/{id}/suggested-questions'),
    summary: 'List suggested questions for a member',
    permission: 'chat',
    params: InKnowledgeBase,
    answer: { status: 200, body: SuggestedQuestions },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
})
