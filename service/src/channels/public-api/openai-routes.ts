import { ENDPOINTS } from '@citewell/contract/endpoints'
import { LIMITS } from '@citewell/contract/limits'
import type { Answering, AnswerEvent } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { openAiFailureBody } from '../../platform/http/openai-error.ts'
import { refusalOfFailure } from './answer-failure.ts'
import { chunksOf, completionOf, type OpenAiAnswerGiven } from './openai-answer.ts'
import { readConversation } from './openai-conversation.ts'
import type { PublicCaller } from './public-caller.ts'
import type { PublicQuestions } from './public-question.ts'
import { framesFrom } from './stream-frames.ts'

export interface OpenAiDeps {
  questions: Pick<PublicQuestions, 'questionOf'>
  answering: Pick<Answering, 'answerQuestion'>
  countTokens: (text: string) => number
  now: () => Date
}

const endpoint = endpointsFor<'public-key', PublicCaller>()

/** The question endpoint as OpenAI's clients know it: one knowledge base is one model. */
export function createOpenAiRoutes({ questions, answering, countTokens, now }: OpenAiDeps) {
  return [
    endpoint(ENDPOINTS.completeChat, async ({ caller, body, requestId, signal, setHeader }) => {
      if (body.model.toLowerCase() !== caller.base.id) {
        throw new Refusal('NOT_FOUND', {
          because: `This key opens no model "${body.model}". Its knowledge base is ${caller.base.id}.`,
        })
      }
      const { query, earlier } = readConversation(body)
      const question = await questions.questionOf(caller, {
        surface: 'openai',
        query,
        userRef: body.user ?? undefined,
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
      // Their clients try again by themselves after a 5xx; this tells them when that is of no use.
      const dontRetry = () => setHeader('x-should-retry', 'false')
      if (body.stream !== true) {
        return await completionOf(untilFailure(events, dontRetry), given)
      }
      const begun = await beginAnswer(events, dontRetry)
      return {
        frames: framesFrom(begun, (events) => chunksOf(events, given)),
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
}

async function* untilFailure(events: AsyncIterable<AnswerEvent>, onFinal: () => void) {
  for await (const event of events) {
    if (event.kind === 'failed' && !event.retryable) onFinal()
    yield event
  }
}

/**
 * Waits for the first words: what fails before them still gets its true status, which is what these clients act upon.
 *
 * @throws Refusal of a question that was not let in, or an answer that failed before its first words
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
