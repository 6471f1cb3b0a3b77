import type { Citation } from '@citewell/contract/chat'
import type { OpenAiChunk, OpenAiCompletion } from '@citewell/contract/openai'
import type { AnswerFailureCode } from '@citewell/contract/refusals'
import { collectAnswer, type AnswerEvent, type FinishedAnswer } from '../../answers/answering/answering.ts'
import { newId } from '../../kernel/ids.ts'
import { refusalOfFailure } from './answer-failure.ts'
import { openAiErrorBody, openAiFailureBody } from './openai-error.ts'
import { annotationsOf, citationsAsStreamed, sourcesList } from './openai-sources.ts'

type FinishReason = OpenAiCompletion['choices'][0]['finish_reason']

export interface OpenAiAnswerGiven {
  knowledgeBaseId: string
  requestId: string
  /** Tokens of the messages. */
  promptTokens: number
  countTokens: (text: string) => number
  hasUsage: boolean
  now: Date
}

/** Failures that OpenAI's API reports as a finish reason: the text so far is kept. */
const FINISH_REASONS: Partial<Record<AnswerFailureCode, FinishReason>> = {
  truncated: 'length',
  content_filtered: 'content_filter',
}

function extraOf({ cited, covered, confidence, ids }: FinishedAnswer, answer: string) {
  return {
    answer,
    citations: cited,
    covered,
    confidence,
    ...(ids !== undefined && { thread_id: ids.threadId, message_id: ids.messageId }),
  }
}

/** The fields that all objects of one answer share. */
function headOf({ knowledgeBaseId, now }: OpenAiAnswerGiven) {
  return {
    id: `chatcmpl-${newId()}`,
    created: Math.floor(now.getTime() / 1_000),
    model: knowledgeBaseId,
  }
}

function usageOf({ promptTokens, countTokens }: OpenAiAnswerGiven, streamedText: string) {
  const completionTokens = countTokens(streamedText)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

/**
 * A whole answer in OpenAI's format.
 *
 * @throws Refusal of an answer that failed
 */
export async function completionOf(
  events: AsyncIterable<AnswerEvent>,
  given: OpenAiAnswerGiven,
): Promise<OpenAiCompletion> {
  const { text: answer, finished, failed } = await collectAnswer(events)
  const finishReason = failed === undefined ? 'stop' : FINISH_REASONS[failed.code]
  if (failed !== undefined && finishReason === undefined) throw refusalOfFailure(failed)
  const cited = finished?.cited ?? []
  const content = `${answer}${sourcesList(cited)}`
  return {
    ...headOf(given),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, annotations: annotationsOf(answer, cited) },
        finish_reason: finishReason ?? 'stop',
        logprobs: null,
      },
    ],
    usage: usageOf(given, content),
    ...(finished !== undefined && { citewell: extraOf(finished, answer) }),
  }
}

/** The same answer as a stream; if it fails, the last frame is the error. */
export async function* chunksOf(
  events: AsyncIterable<AnswerEvent>,
  given: OpenAiAnswerGiven,
): AsyncGenerator<Record<string, unknown>, void, void> {
  const head = { ...headOf(given), object: 'chat.completion.chunk' as const }
  const chunk = (
    delta: OpenAiChunk['choices'][number]['delta'],
    finish_reason: FinishReason | null = null,
  ): OpenAiChunk => ({ ...head, choices: [{ index: 0, delta, finish_reason, logprobs: null }] })
  let found: Citation[] = []
  let streamedText = ''
  for await (const event of events) {
    switch (event.kind) {
      case 'found':
        found = event.citations
        yield chunk({ role: 'assistant', content: '' })
        break
      case 'delta':
        streamedText += event.text
        yield chunk({ content: event.text })
        break
      case 'finished': {
        const cited =
          event.rewritten === undefined ? event.cited : citationsAsStreamed(streamedText, found, event.cited)
        const sources = sourcesList(cited)
        if (sources !== '') yield chunk({ content: sources })
        yield {
          ...chunk({ annotations: annotationsOf(streamedText, cited) }, 'stop'),
          citewell: extraOf(event, event.rewritten ?? streamedText),
        }
        streamedText += sources
        break
      }
      case 'failed': {
        const finish = FINISH_REASONS[event.code]
        if (event.because !== undefined) return yield openAiErrorBody(event.because, given.requestId)
        if (finish === undefined) return yield openAiFailureBody(event.code, given.requestId)
        yield chunk({}, finish)
        break
      }
    }
  }
  if (given.hasUsage) yield { ...head, choices: [], usage: usageOf(given, streamedText) }
}
