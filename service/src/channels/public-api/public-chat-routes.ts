import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Answering, Question } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor, type RequestFacts } from '../../platform/http/endpoint.ts'
import { openChatStream } from './chat-stream.ts'
import type { PublicCaller } from './public-caller.ts'
import type { PublicQuestions } from './public-question.ts'

export interface PublicChatDeps {
  questions: Pick<PublicQuestions, 'chatQuestion' | 'threadQuestion'>
  answering: Pick<Answering, 'answerQuestion'>
}

const endpoint = endpointsFor<'public-key', PublicCaller>()

/** Questions of the public API, answered as server-sent events. */
export function createPublicChatRoutes({ questions, answering }: PublicChatDeps) {
  const answer = async (question: Question, { request, requestId, signal }: RequestFacts) =>
    await openChatStream(answering.answerQuestion(question, signal), {
      requestId,
      accept: request.headers.get('accept'),
    })

  return [
    endpoint(
      ENDPOINTS.chat,
      async ({ caller, body, ...facts }) => await answer(await questions.chatQuestion(caller, body), facts),
    ),
    endpoint(
      ENDPOINTS.chatOnThread,
      async ({ caller, body, params, ...facts }) =>
        await answer(await questions.threadQuestion(caller, body, params.threadId), facts),
    ),
    // WebSocket upgrades do not get here: `chat-socket.ts` handles them.
    endpoint(ENDPOINTS.openChatSocket, () => {
      throw new Refusal('BAD_REQUEST', { because: 'Open a WebSocket at this address.' })
    }),
  ]
}
