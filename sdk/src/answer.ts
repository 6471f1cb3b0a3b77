import { createFrameReader, type AnswerDone, type AnswerFrame } from './answer-frames.ts'
import { cancelled, CitewellError, streamCut } from './citewell-error.ts'
import type { WireFrame } from './http.ts'
import { createDeadline } from './deadline.ts'
import { retry } from './retry.ts'
import { toWire } from './wire-names.ts'

/**
 * An answer that is being written. The question is sent when it is read, in one of these ways; it can be read once.
 *
 * @example
 * for await (const frame of client.ask('How do I rotate a key?')) {
 *   if (frame.type === 'delta') process.stdout.write(frame.delta)
 * }
 */
export interface Answer<Done extends AnswerDone = AnswerDone> extends AsyncIterable<AnswerFrame<Done>> {
  /**
   * The frames: `start`, any number of `delta`, `done`. Leaving the loop ends the answer at the service too.
   *
   * @throws CitewellError of a refused, failed, cut or cancelled answer
   */
  [Symbol.asyncIterator](): AsyncGenerator<AnswerFrame<Done>, void, void>
  /** The whole answer. Also works beside a loop over the frames, and then waits for its end. */
  final(): Promise<Done>
  /** The pieces of the text. They are what was streamed: see `answer` of the last frame. */
  textStream(): AsyncGenerator<string, void, void>
  /**
   * The frames as a response in the service's own format, for a server that asks with its secret on behalf of its page. A page reads it
   * with this SDK, or with any reader of server-sent events. An error becomes the stream's error frame.
   */
  toResponse(init?: ResponseInit): Response
  /** Ends the answer; whoever reads it gets a {@link CitewellError} `CANCELLED`. */
  abort(): void
}

/** Sends a question once and yields the frames of the wire. Ending the generator, or the signal, ends the question. */
export type OpenFrames = (signal: AbortSignal) => Promise<AsyncGenerator<WireFrame, void, void>>

interface AnswerSettings<Done> {
  retries: number
  signal: AbortSignal | undefined
  /** Called with the last frame, before it is handed out. */
  onDone?: ((done: Done) => void) | undefined
}

/** How the answer ends, for those who only wait for that. */
function createEnding<Done>() {
  let settle: { resolve: (done: Done) => void; reject: (error: unknown) => void } | undefined
  const promise = new Promise<Done>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // A loop over the frames throws the error; nobody needs to wait for `final()` as well.
  promise.catch(() => undefined)
  return {
    promise,
    resolve: (done: Done) => settle?.resolve(done),
    reject: (error: unknown) => settle?.reject(error),
  }
}

/**
 * @param open - called again if the answer failed before its first frame with a retryable error
 */
export function createAnswer<Done extends AnswerDone>(
  open: OpenFrames,
  { retries, signal, onDone }: AnswerSettings<Done>,
): Answer<Done> {
  // Each attempt has its own time; this only ends with the caller's signal, or by `abort`.
  const whole = createDeadline(signal, 0)
  const ending = createEnding<Done>()
  let isRead = false

  /** Opens the stream and reads its first frame: what fails until then may be repeated. */
  const start = async () => {
    whole.signal.throwIfAborted()
    const read = createFrameReader<Done>()
    const wire = await open(whole.signal)
    try {
      const first = await wire.next()
      if (first.done === true) throw streamCut()
      return { wire, read, first: read(first.value) }
    } catch (error) {
      await wire.return()
      throw error
    }
  }

  async function* attempt(): AsyncGenerator<AnswerFrame<Done>, void, void> {
    const { wire, read, first } = await retry(start, { retries, signal: whole.signal })
    try {
      for (let frame = first; ;) {
        if (frame.type === 'done') {
          onDone?.(frame)
          ending.resolve(frame)
          return yield frame
        }
        yield frame
        whole.signal.throwIfAborted()
        const next = await wire.next()
        if (next.done === true) throw streamCut()
        frame = read(next.value)
      }
    } finally {
      await wire.return()
    }
  }

  async function* frames(): AsyncGenerator<AnswerFrame<Done>, void, void> {
    if (isRead) throw new TypeError('This answer is read already.')
    isRead = true
    try {
      yield* attempt()
    } catch (error) {
      const reason: unknown = whole.signal.aborted ? whole.signal.reason : error
      ending.reject(reason)
      throw reason
    } finally {
      // Only has an effect if the loop was left before the last frame.
      ending.reject(cancelled())
      whole.clear()
    }
  }

  const answer: Answer<Done> = {
    [Symbol.asyncIterator]: frames,
    final: async () => {
      if (!isRead) for await (const _ of answer);
      return await ending.promise
    },
    textStream: async function* () {
      for await (const frame of answer) if (frame.type === 'delta') yield frame.delta
    },
    toResponse: (init) => responseOf(answer, init),
    abort: whole.abort,
  }
  return answer
}

const encoder = new TextEncoder()

const wireFrameOf = (frame: AnswerFrame): Record<string, unknown> => {
  if (frame.type === 'delta') return { delta: frame.delta, done: false }
  if (frame.type === 'start')
    return { ...(frame.citations.length > 0 && toWire({ citations: frame.citations })), done: false }
  const { type: _type, text: _text, ...fields } = frame
  return { ...toWire(fields), done: true }
}

const wireFrameOfError = (error: unknown): Record<string, unknown> => {
  const known = error instanceof CitewellError ? error : undefined
  return {
    error: known?.message ?? 'Something went wrong here. Please try again.',
    error_code: known?.errorCode ?? 'internal',
    code: known?.code ?? 'INTERNAL',
    retryable: known?.retryable ?? true,
    request_id: known?.requestId ?? '',
  }
}

function responseOf(answer: Answer, init: ResponseInit = {}): Response {
  const frames = answer[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const write = (frame: object) =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(frame)}\n\n`))
      try {
        const step = await frames.next()
        if (step.done === true) controller.close()
        else write(wireFrameOf(step.value))
      } catch (error) {
        write(wireFrameOfError(error))
        controller.close()
      }
    },
    cancel: async () => {
      answer.abort()
      await frames.return()
    },
  })
  const headers = new Headers(init.headers)
  headers.set('content-type', 'text/event-stream')
  headers.set('cache-control', 'no-cache, no-transform')
  headers.set('x-accel-buffering', 'no')
  return new Response(body, { ...init, headers })
}
