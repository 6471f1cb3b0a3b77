import type { AnswerPart } from './chat-completion.ts'
import { ModelFailure } from './language-model.ts'
import { modelFailureOf } from './model-failures.ts'
import type { ModelWatch } from './model-time-limits.ts'

function throwUnlessComplete(reason: string | undefined, hasSpoken: boolean): void {
  if (reason === 'content_filter') {
    throw new ModelFailure('content_filtered', 'The content filter of the model ended the answer.')
  }
  if (reason === 'length') throw new ModelFailure('truncated', 'The model ran out of output tokens.')
  if (!hasSpoken) throw new ModelFailure('internal', 'The model returned an empty answer.')
  if (reason === undefined) {
    // For example a proxy did so.
    throw new ModelFailure('truncated', 'The connection to the model ended before its answer did.')
  }
}

/**
 * The text of one attempt to generate an answer, as it arrives, within the time limits.
 *
 * @throws ModelFailure unless the answer is complete
 */
export async function* readModelStream(
  parts: AsyncIterable<AnswerPart>,
  watch: ModelWatch,
): AsyncGenerator<string, void, void> {
  let hasSpoken = false
  let hasRefused = false
  let reason: string | undefined
  const throwIfEnded = () => {
    const failure = watch.failure()
    if (failure !== undefined) throw failure
  }

  throwIfEnded()
  watch.expectFirstToken()
  try {
    for await (const part of parts) {
      throwIfEnded()
      if (part.kind === 'error') throw modelFailureOf(part.error)
      if (part.kind === 'refusal') hasRefused = true
      if (part.kind === 'end') reason = hasRefused && part.reason === 'stop' ? 'content_filter' : part.reason
      if (part.kind === 'thinking') watch.expectNextToken()
      if (part.kind === 'text') {
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
  throwUnlessComplete(reason, hasSpoken)
}
