import { encodeEnding, encodeFrame, KEEP_ALIVE } from './frame.ts'
import { createFrameQueue } from './frame-queue.ts'
import type { OpenStreams } from './open-streams.ts'

/** A stream that a handler returns. */
export interface EventStream {
  frames: AsyncIterable<Record<string, unknown>>
  /** Makes the one frame that ends the stream when `frames` threw, or the service stops. */
  onError: (error: unknown) => Record<string, unknown>
  /** A last `data:` line that is not JSON, sent after the frames ended normally: OpenAI's `[DONE]`. */
  ending?: string
}

export interface SseLimits {
  /** Interval of silence after which a comment is sent. Proxies drop silent streams after 30 to 60 s. */
  keepAliveMs: number
  /** A reader that takes nothing for this long, although data is waiting, is disconnected. */
  stalledMs: number
  /** High-water mark of the buffer for a slow reader; `frames` then waits. */
  maxBufferedBytes: number
}

export const SSE_LIMITS: SseLimits = { keepAliveMs: 15_000, stalledMs: 15_000, maxBufferedBytes: 262_144 }

export interface SseWiring {
  /** Aborted when the stream ends before its frames do: the producer must stop. */
  abortController: AbortController
  /** Destroys the connection. */
  cut: () => void
  openStreams: OpenStreams
  limits: SseLimits
  headers: Record<string, string>
  /** Called with the error that `frames` threw, unless the reader had already disconnected. */
  onFailed: (error: unknown) => void
}

const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Streams frames as server-sent events: one `data:` line each, comments during silence, no event names. The stream ends when the frames
 * do; after an error frame; when the reader disconnects or stalls; or when the service stops.
 */
export function sseResponse({ frames, onError, ending }: EventStream, wiring: SseWiring): Response {
  const { abortController, limits } = wiring
  const { signal } = abortController
  const queue = createFrameQueue()
  const iterator = frames[Symbol.asyncIterator]()
  let isOver = false

  /** Ends the stream, after `lastFrame` if there is one. Queued frames are still sent. */
  function end(lastFrame?: Record<string, unknown>): void {
    if (isOver) return
    isOver = true
    if (lastFrame !== undefined) queue.put(encodeFrame(lastFrame))
    queue.close()
    forget()
    signal.removeEventListener('abort', leave)
  }

  /** The reader has disconnected or is cut off: nothing more is written, and the producer of frames stops. */
  function leave(): void {
    if (!isOver) {
      isOver = true
      queue.clear()
      forget()
    }
    clearInterval(timer)
    if (!signal.aborted) abortController.abort(new Error('The reader disconnected.'))
    // Not awaited: a generator that ignores the signal may take long.
    Promise.resolve(iterator.return?.()).catch(() => undefined)
  }

  const forget = wiring.openStreams.add((reason) => {
    end(onError(reason))
    abortController.abort(reason)
    Promise.resolve(iterator.return?.()).catch(() => undefined)
  })

  async function write(): Promise<void> {
    try {
      while (!isOver) {
        const step = await iterator.next()
        if (isOver) return
        if (step.done === true) {
          if (ending !== undefined) queue.put(encodeEnding(ending))
          return end()
        }
        queue.put(encodeFrame(step.value))
        if (queue.byteLength() > limits.maxBufferedBytes) await queue.drained()
      }
    } catch (error) {
      if (isOver) return
      wiring.onFailed(error)
      end(onError(error))
    }
  }

  const timer = setInterval(
    () => {
      const { byteLength, silentMs, untakenMs } = queue
      if (byteLength() > 0 && untakenMs() >= limits.stalledMs) {
        leave()
        wiring.cut()
      } else if (isOver) {
        if (byteLength() === 0) clearInterval(timer)
      } else if (byteLength() === 0 && silentMs() >= limits.keepAliveMs) {
        queue.put(KEEP_ALIVE)
      }
    },
    Math.max(5, Math.min(1_000, limits.keepAliveMs / 5, limits.stalledMs / 5)),
  )

  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  else void write()

  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        queue.take().then((bytes) => {
          if (bytes === undefined) controller.close()
          else controller.enqueue(bytes)
        }),
      cancel: leave,
    },
    // Nothing is read from the queue ahead of the socket, so what is untaken is what the reader has not read.
    { highWaterMark: 0 },
  )
  return new Response(body, { status: 200, headers: { ...wiring.headers, ...SSE_HEADERS } })
}
