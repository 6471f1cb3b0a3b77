import type { AnswerFailureCode } from '@citewell/contract/refusals'
import type { AnswerEvent } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventStream } from '../../platform/http/sse.ts'
import { chatFrame, failureFrame } from './chat-frames.ts'

type AnswerEvents = AsyncGenerator<AnswerEvent, void, void>

/**
 * Begins an answer and gives its stream. The first event is waited for, so that a question that is refused still gets
 * its true status; the error of a used-up allowance goes into the stream, unless the caller accepts JSON alone.
 *
 * @throws Refusal of a question that was not let in
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
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED' && !acceptsJsonAlone(accept)) {
      return { frames: only(failureFrame('quota_exceeded', requestId)), onError }
    }
    throw error
  }
}

const acceptsJsonAlone = (accept: string | null) =>
  accept !== null && /\bapplication\/json\b/i.test(accept) && !/\btext\/event-stream\b/i.test(accept)

async function* only(frame: Record<string, unknown>) {
  yield frame
}

/**
 * Not a generator: one that was never begun ends without a word when its reader leaves, and would leave the answer behind
 * it hanging.
 */
function framesOf(
  first: IteratorResult<AnswerEvent, void>,
  events: AnswerEvents,
  requestId: string,
): AsyncIterable<Record<string, unknown>> {
  let pending: IteratorResult<AnswerEvent, void> | undefined = first
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const step = pending ?? (await events.next())
        pending = undefined
        return step.done === true
          ? { done: true, value: undefined }
          : { done: false, value: chatFrame(step.value, requestId) }
      },
      return: async () => {
        await events.return()
        return { done: true, value: undefined }
      },
    }),
  }
}

/** What a fault outside of answering is to the reader: the service stops, or something broke. */
function failureOf(error: unknown): AnswerFailureCode {
  return error instanceof Refusal && error.code === 'UNAVAILABLE' ? 'unavailable' : 'internal'
}
