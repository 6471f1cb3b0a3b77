import { DONE, partsOf, type AnswerPart, type ChatCompletion } from './chat-completion.ts'
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
 * The text of one attempt to generate an answer, as it arrives, within the time limits. One generator does all of it: each further one
 * costs time and memory for every piece of every answer.
 *
 * @throws ModelFailure unless the answer is complete
 */
export async function* readModelStream(
  open: () => Promise<ChatCompletion>,
  watch: ModelWatch,
): AsyncGenerator<string, void, void> {
  let hasSpoken = false
  let hasRefused = false
  let reason: string | undefined
  const throwIfEnded = () => {
    const failure = watch.failure()
    if (failure !== undefined) throw failure
  }

  /** The text of a part, if it is one for the reader. */
  const take = (part: AnswerPart): string | undefined => {
    if (part.kind === 'error') throw modelFailureOf(part.error)
    if (part.kind === 'refusal') hasRefused = true
    if (part.kind === 'end') reason = hasRefused && part.reason === 'stop' ? 'content_filter' : part.reason
    if (part.kind === 'thinking') watch.expectNextToken()
    return part.kind === 'text' ? part.text : undefined
  }

  throwIfEnded()
  watch.expectFirstToken()
  try {
    const { body, eventsIn } = await open()
    reading: for await (const bytes of body) {
      for (const event of eventsIn(bytes)) {
        if (event === DONE) break reading
        for (const part of partsOf(event)) {
          throwIfEnded()
          const text = take(part)
          if (text === undefined) continue
          hasSpoken = true
          watch.pause()
          yield text
          throwIfEnded()
          watch.expectNextToken()
        }
      }
    }
  } catch (error) {
    throw watch.failure() ?? modelFailureOf(error)
  }
  throwIfEnded()
  throwUnlessComplete(reason, hasSpoken)
}
