import { streamText, type FinishReason, type LanguageModel as SdkLanguageModel } from 'ai'
import { ModelFailure, type ModelRequest } from './language-model.ts'
import { modelFailureOf } from './model-failures.ts'
import type { ModelWatch } from './model-time-limits.ts'

function throwUnlessWhole(finishReason: FinishReason | undefined, hasSpoken: boolean): void {
  if (finishReason === 'content-filter') {
    throw new ModelFailure('content_filtered', 'The content filter of the model ended the answer.')
  }
  if (finishReason === 'length') throw new ModelFailure('truncated', 'The model ran out of output tokens.')
  if (!hasSpoken) throw new ModelFailure('internal', 'The model ended its answer without a word.')
}

/** A stream that ends without a finish reason was cut off, by a proxy say; the AI SDK reports it as invalid data. */
const isCutOff = (error: unknown) => error instanceof Error && error.name === 'AI_InvalidResponseDataError'

/**
 * One attempt to have an answer written, piece by piece. Reads the SDK's full stream, since its text stream hides
 * errors. Throws a `ModelFailure` for whatever is not a whole answer.
 */
export async function* readModelStream(
  model: SdkLanguageModel,
  { messages, maxOutputTokens }: Pick<ModelRequest, 'messages' | 'maxOutputTokens'>,
  watch: ModelWatch,
): AsyncGenerator<string, void, void> {
  let hasSpoken = false
  let finishReason: FinishReason | undefined
  const throwIfEnded = () => {
    const failure = watch.failure()
    if (failure !== undefined) throw failure
  }

  throwIfEnded()
  watch.expectFirstToken()
  const { stream } = streamText({
    model,
    messages,
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: watch.signal,
    // Without it the SDK writes errors to the console; they arrive as parts of the stream as well.
    onError: () => {},
    allowSystemInMessages: true,
  })
  try {
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
      if (part.type === 'finish') finishReason = part.finishReason
      if (part.type === 'reasoning-delta') watch.expectNextToken()
      if (part.type === 'text-delta' && part.text !== '') {
        hasSpoken = true
        watch.pause()
        yield part.text
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
