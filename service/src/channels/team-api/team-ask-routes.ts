import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { wouldBeLetIn, type Caller } from '../../accounts/permissions/permissions.ts'
import { createQuestion, type Answering } from '../../answers/answering/answering.ts'
import type { Conversations } from '../../answers/conversations/conversations.ts'
import type { SuggestedQuestions } from '../../answers/suggested-questions/suggested-questions.ts'
import type { Search } from '../../content/search/search.ts'
import { endpointsFor, type Gate } from '../../platform/http/endpoint.ts'
import {
  groupScope,
  openChatStream,
  presentSearchResults,
  type AskedBasesDb,
} from '../public-api/public-api.ts'

export interface TeamAskDeps {
  db: AskedBasesDb
  knowledgeBases: Pick<KnowledgeBases, 'openActive'>
  answering: Pick<Answering, 'answerQuestion'>
  conversations: Pick<Conversations, 'ownThreadOrNone'>
  search: Pick<Search, 'findPages'>
  suggestedQuestions: Pick<SuggestedQuestions, 'list'>
  /** The gate of these endpoints: an answer is written for longer than the look at its caller lasts. */
  authenticate: Gate<Caller>
}

const endpoint = endpointsFor<'access-token', Caller>()

/** Questions of members who may chat in the base: restricted documents are used too. */
export function createTeamAskRoutes(deps: TeamAskDeps) {
  const { db, knowledgeBases, answering, conversations, search, suggestedQuestions, authenticate } = deps
  return [
    endpoint(ENDPOINTS.askAsMember, async (sent) => {
      const { caller, params, body, request, requestId, signal } = sent
      const base = await knowledgeBases.openActive(caller, params.id, 'chat')
      const question = createQuestion(base, {
        query: body.query,
        acceptLanguage: request.headers.get('accept-language') ?? undefined,
        groupIds: await groupScope(db, base.id, undefined, body.group_ids),
        includeRestricted: true,
        topK: body.top_k,
        asker: { surface: 'team', clientKeyId: undefined, userRef: caller.userId },
        isStillAllowed: () =>
          wouldBeLetIn(async () => {
            const now = await authenticate({ ...sent, endpoint: ENDPOINTS.askAsMember })
            await knowledgeBases.openActive(now, base.id, 'chat')
          }),
      })
      const threadId =
        body.thread_id === undefined
          ? undefined
          : await conversations.ownThreadOrNone({ ...question, threadId: body.thread_id })
      return await openChatStream(answering.answerQuestion({ ...question, threadId }, signal), {
        requestId,
        accept: request.headers.get('accept'),
      })
    }),
    endpoint(ENDPOINTS.searchAsMember, async ({ caller, params, body, signal }) => {
      const base = await knowledgeBases.openActive(caller, params.id, 'chat')
      const { passages } = await search.findPages({
        knowledgeBaseId: base.id,
        query: body.query,
        language: base.language ?? undefined,
        groupIds: await groupScope(db, base.id, undefined, body.group_ids),
        includeRestricted: true,
        limit: body.limit,
        signal,
      })
      return presentSearchResults(passages, body.query)
    }),
    endpoint(ENDPOINTS.suggestQuestionsToMember, async ({ caller, params }) => {
      const base = await knowledgeBases.openActive(caller, params.id, 'chat')
      return { questions: await suggestedQuestions.list(base.id, undefined) }
    }),
  ]
}
