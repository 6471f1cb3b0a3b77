import type { ChatBody, ThreadChatBody } from '@citewell/contract/chat'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Answering, Question } from '../../answers/answering/answering.ts'
import type { Conversations } from '../../answers/conversations/conversations.ts'
import { endpointsFor, type RequestFacts } from '../../platform/http/endpoint.ts'
import type { AskedBasesDb } from './asked-bases-store.ts'
import { openChatStream } from './chat-stream.ts'
import type { PublicCaller } from './public-caller.ts'
import { groupScope, groupsOfKey } from './request-scope.ts'
import { openWidget, voiceOf } from './widget-gate.ts'

export interface PublicChatDeps {
  db: AskedBasesDb
  answering: Pick<Answering, 'answerQuestion'>
  conversations: Pick<Conversations, 'ownThreadOrNone' | 'requireOwnThread'>
}

const endpoint = endpointsFor<'public-key', PublicCaller>()

/** Questions from outside: restricted documents are never used here. */
export function createPublicChatRoutes({ db, answering, conversations }: PublicChatDeps) {
  /** The question without its thread, once its widget and its groups have been let through. */
  async function admit(caller: PublicCaller, body: ThreadChatBody, userRef: string | undefined) {
    const { base, clientKey, origin } = caller
    const widget = await openWidget(db, base.id, body.widget_id, origin)
    return {
      knowledgeBaseId: base.id,
      knowledgeBaseName: base.name,
      query: body.query,
      groupIds: await groupScope(db, base.id, groupsOfKey(clientKey), body.group_ids),
      includeRestricted: false,
      topK: body.top_k,
      voice: voiceOf(base, widget),
      asker: {
        surface: widget === undefined ? 'api' : 'widget',
        clientKeyId: clientKey.clientKeyId,
        userRef,
      },
    }
  }

  const answer = async (question: Question, { request, requestId, signal }: RequestFacts) =>
    await openChatStream(answering.answerQuestion(question, signal), {
      requestId,
      accept: request.headers.get('accept'),
    })

  const userRefOf = ({ user }: ChatBody) => user?.id ?? user?.email

  return [
    endpoint(ENDPOINTS.chat, async ({ caller, body, ...facts }) => {
      const question = await admit(caller, body, userRefOf(body))
      const threadId =
        body.thread_id === undefined
          ? undefined
          : await conversations.ownThreadOrNone({ ...question, threadId: body.thread_id })
      return await answer({ ...question, threadId }, facts)
    }),
    endpoint(ENDPOINTS.chatOnThread, async ({ caller, body, params, ...facts }) => {
      const question = await admit(caller, body, undefined)
      const threadId = await conversations.requireOwnThread({ ...question, threadId: params.threadId })
      return await answer({ ...question, threadId }, facts)
    }),
  ]
}
