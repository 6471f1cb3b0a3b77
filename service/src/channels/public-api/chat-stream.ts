import type { AnswerFailureCode } from '@citewell/contract/refusals'
import type { AnswerEvent } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventStream } from '../../platform/http/sse.ts'
import { chatFrame, failureFrame } from './chat-frames.ts'

type AnswerEvents = AsyncGenerator<AnswerEvent, void, void>

/**
 * Starts an answer and returns its stream. Waits for the first event, so that a refused question still gets its real status; the error of
 * an exhausted quota goes into the stream, unless the caller accepts only JSON.
 *
 * @throws Refusal of a question that was not accepted
 */
export async function openChatStream(
  events: AnswerEvents,
  { requestId, accept }: { requestId: string; accept: string | null },
): Promise<EventStream> {
  const onError = (error: unknown) => failureFrame(failureOf(error), requestId)
  try {
    const first = await events.next()
    return { frames: framesOf(first, events, requestId), onError }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED' && !acceptsJsonAlone(accept))
      return { frames: only(failureFrame('quota_exceeded', requestId)), onError }
    throw error
  }
}

const acceptsJsonAlone = (accept: string | null) =>
  accept !== null && /\bapplication\/json\b/i.test(accept) && !/\btext\/event-stream\b/i.test(accept)

async function* only(frame: Record<string, unknown>) {
  yield frame
}

/** Not a generator: closing a generator that was never started does not run its code, and would leave the answer behind it running. */
function framesOf(
  first: IteratorResult<AnswerEvent, void>,
  events: AnswerEvents,
  requestId: string,
): AsyncIterable<Record<string, unknown>> {
  let pending: IteratorResult<AnswerEvent, void> | undefined = first
  const present = (step: IteratorResult<AnswerEvent, void>): IteratorResult<Record<string, unknown>, void> =>
    step.done === true
      ? { done: true, value: undefined }
      : { done: false, value: chatFrame(step.value, requestId) }
  return {
    [Symbol.asyncIterator]: () => ({
      // Without `async`, which would make further promises for each piece.
      next: () => {
        if (pending === undefined) return events.next().then(present)
        const opened = Promise.resolve(present(pending))
        pending = undefined
        return opened
      },
      return: async () => {
        await events.return()
        return { done: true, value: undefined }
      },
    }),
  }
}

/** The failure code of an error outside of answering: the service is shutting down, or something broke. */
function failureOf(error: unknown): AnswerFailureCode {
  return error instanceof Refusal && error.code === 'UNAVAILABLE' ? 'unavailable' : 'internal'
}
