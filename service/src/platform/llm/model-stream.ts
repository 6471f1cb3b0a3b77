import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ModelFailure, type ModelRequest } from './language-model.ts'
import { modelFailureOf } from './model-failures.ts'
import type { ModelWatch } from './model-time-limits.ts'

/** A model object of the SDK's provider. */
type SdkLanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>

function throwUnlessComplete(finishReason: string | undefined, hasSpoken: boolean): void {
  if (finishReason === 'content-filter') {
    throw new ModelFailure('content_filtered', 'The content filter of the model ended the answer.')
  }
  if (finishReason === 'length') throw new ModelFailure('truncated', 'The model ran out of output tokens.')
  if (!hasSpoken) throw new ModelFailure('internal', 'The model returned an empty answer.')
}

/** A stream that ends without a finish reason was cut off, e.g. by a proxy; the AI SDK reports it as invalid data. */
const isCutOff = (error: unknown) => error instanceof Error && error.name === 'AI_InvalidResponseDataError'

/**
 * One attempt to generate an answer as a stream. Calls the provider's model directly: the SDK's `streamText` wrapper holds 107 kB per
 * in-flight answer, and hides errors. Throws a `ModelFailure` unless the answer is complete.
 */
export async function* readModelStream(
  model: SdkLanguageModel,
  { messages, maxOutputTokens }: Pick<ModelRequest, 'messages' | 'maxOutputTokens'>,
  watch: ModelWatch,
): AsyncGenerator<string, void, void> {
  let hasSpoken = false
  let finishReason: string | undefined
  const throwIfEnded = () => {
    const failure = watch.failure()
    if (failure !== undefined) throw failure
  }

  throwIfEnded()
  watch.expectFirstToken()
  try {
    const { stream } = await model.doStream({
      prompt: messages.map(({ role, content }) =>
        role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
      ),
      maxOutputTokens,
      abortSignal: watch.signal,
    })
    for await (const part of stream) {
      throwIfEnded()
      if (part.type === 'error') {
        if (isCutOff(part.error) && hasSpoken) {
          throw new ModelFailure('truncated', 'The model closed the connection before it had finished.', {
            cause: part.error,
          })
        }
        throw modelFailureOf(part.error)
      }
      if (part.type === 'finish') finishReason = part.finishReason.unified
      if (part.type === 'reasoning-delta') watch.expectNextToken()
      if (part.type === 'text-delta' && part.delta !== '') {
        hasSpoken = true
        watch.pause()
        yield part.delta
        throwIfEnded()
        watch.expectNextToken()
      }
    }
  } catch (error) {
    throw watch.failure() ?? modelFailureOf(error)
  }
  throwIfEnded()
  throwUnlessComplete(finishReason, hasSpoken)
}
