import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ModelFailure, type ModelRequest } from './language-model.ts'
import { modelFailureOf } from './model-failures.ts'
import type { ModelWatch } from './model-time-limits.ts'

/** A model as the SDK's provider gives it. */
type SdkLanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>

function throwUnlessWhole(finishReason: string | undefined, hasSpoken: boolean): void {
  if (finishReason === 'content-filter') {
    throw new ModelFailure('content_filtered', 'The content filter of the model ended the answer.')
  }
  if (finishReason === 'length') throw new ModelFailure('truncated', 'The model ran out of output tokens.')
  if (!hasSpoken) throw new ModelFailure('internal', 'The model ended its answer without a word.')
}

/** A stream that ends without a finish reason was cut off, by a proxy say; the AI SDK reports it as invalid data. */
const isCutOff = (error: unknown) => error instanceof Error && error.name === 'AI_InvalidResponseDataError'

/**
 * One attempt to have an answer written, piece by piece. Asks the provider's model itself: what the SDK's `streamText` puts
 * around it holds 107 kB for each answer under way, and hides errors. Throws a `ModelFailure` for whatever is not a whole answer.
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
  throwUnlessWhole(finishReason, hasSpoken)
}
