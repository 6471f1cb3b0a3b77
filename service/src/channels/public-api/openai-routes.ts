import { ENDPOINTS } from '@citewell/contract/endpoints'
import { LIMITS } from '@citewell/contract/limits'
import type { Answering, AnswerEvent } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor, type Route } from '../../platform/http/endpoint.ts'
import { refusalOfFailure } from './answer-failure.ts'
import { chunksOf, completionOf, type OpenAiAnswerGiven } from './openai-answer.ts'
import { readConversation } from './openai-conversation.ts'
import { openAiErrorBody, openAiFailureBody } from './openai-error.ts'
import type { PublicCaller } from './public-caller.ts'
import { userRefOf, type PublicQuestions } from './public-question.ts'
import { generateFrames } from './stream-frames.ts'

export interface OpenAiDeps {
  questions: Pick<PublicQuestions, 'questionOf'>
  answering: Pick<Answering, 'answerQuestion'>
  countTokens: (text: string) => number
  now: () => Date
}

const endpoint = endpointsFor<'public-key', PublicCaller>()

/** The chat endpoint in OpenAI's format: one knowledge base is one model. */
export function createOpenAiRoutes({
  questions,
  answering,
  countTokens,
  now,
}: OpenAiDeps): Route<'public-key', PublicCaller>[] {
  const routes = [
    endpoint(ENDPOINTS.completeChat, async ({ caller, body, requestId, signal, setHeader }) => {
      if (body.model.toLowerCase() !== caller.base.id)
        throw new Refusal('NOT_FOUND', {
          because: `This key does not open the model "${body.model}". Use its knowledge base ${caller.base.id} as the model.`,
        })
      const { query, earlier } = readConversation(body)
      const question = await questions.questionOf(caller, {
        surface: 'openai',
        query,
        userRef: userRefOf({ id: body.user ?? undefined, email: undefined }),
        top_k: LIMITS.topK.default,
      })
      const asked = [query, ...earlier.flatMap((turn) => [turn.query, turn.answer])]
      const given: OpenAiAnswerGiven = {
        knowledgeBaseId: caller.base.id,
        requestId,
        promptTokens: countTokens(asked.join('\n')),
        countTokens,
        hasUsage: body.stream_options?.include_usage === true,
        now: now(),
      }
      const events = answering.answerQuestion({ ...question, earlier }, signal)
      // OpenAI's clients retry after a 5xx; this header stops them when a retry cannot help.
      const disableRetries = () => setHeader('x-should-retry', 'false')
      if (body.stream !== true)
        return await completionOf(notifyPermanentFailure(events, disableRetries), given)
      const begun = await beginAnswer(events, disableRetries)
      return {
        frames: generateFrames(begun, (events) => chunksOf(events, given)),
        onError: () => openAiFailureBody('unavailable', requestId),
        ending: '[DONE]',
      }
    }),
    endpoint(ENDPOINTS.listModels, ({ caller: { base } }) => ({
      object: 'list' as const,
      data: [
        {
          id: base.id,
          object: 'model' as const,
          created: Math.floor(now().getTime() / 1_000),
          owned_by: 'citewell',
          name: base.name,
        },
      ],
    })),
  ]
  return routes.map((route) => ({ ...route, refusalBody: openAiErrorBody }))
}

async function* notifyPermanentFailure(events: AsyncIterable<AnswerEvent>, onFinal: () => void) {
  for await (const event of events) {
    if (event.kind === 'failed' && !event.retryable) onFinal()
    yield event
  }
}

/**
 * Waits for the first text: an answer that fails before it still gets its real status, which these clients rely on.
 *
 * @throws Refusal of a question that was not accepted, or an answer that failed before its first text
 */
async function beginAnswer(
  events: AsyncGenerator<AnswerEvent, void, void>,
  onFinal: () => void,
): Promise<AsyncIterable<AnswerEvent>> {
  const first: AnswerEvent[] = []
  while (first.length < 2) {
    const step = await events.next()
    if (step.done === true) break
    if (step.value.kind === 'failed' && first.length < 2) {
      if (!step.value.retryable) onFinal()
      await events.return()
      throw refusalOfFailure(step.value)
    }
    first.push(step.value)
  }
  let place = 0
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const known = first[place]
        place += 1
        return known === undefined ? await events.next() : { done: false, value: known }
      },
      return: async () => {
        await events.return()
        return { done: true, value: undefined }
      },
    }),
  }
}
