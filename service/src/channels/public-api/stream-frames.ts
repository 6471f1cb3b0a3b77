import type { EventStream } from '../../platform/http/sse.ts'

type Frame = Record<string, unknown>

/** Maps each frame of a stream. Closing the result closes the source stream, even before its first frame. */
export function mapFrames(stream: EventStream, change: (frame: Frame) => Frame): EventStream {
  return {
    ...stream,
    frames: {
      [Symbol.asyncIterator]: () => {
        const frames = stream.frames[Symbol.asyncIterator]()
        return {
          next: async () => {
            const step = await frames.next()
            return step.done === true ? step : { done: false, value: change(step.value) }
          },
          return: async () => {
            await frames.return?.()
            return { done: true, value: undefined }
          },
        }
      },
    },
  }
}

/** A stream of known frames. */
export function streamOfFrames(frames: readonly Frame[]): EventStream {
  return {
    frames: (async function* () {
      yield* frames
    })(),
    onError: () => ({}),
  }
}

/** Frames that a generator makes of `events`. Closing the result closes the events, even if the generator was not started. */
export function generateFrames<Event>(
  events: AsyncIterable<Event>,
  make: (events: AsyncIterable<Event>) => AsyncGenerator<Frame, void, void>,
): AsyncIterable<Frame> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = events[Symbol.asyncIterator]()
      const frames = make({ [Symbol.asyncIterator]: () => source })
      return {
        next: async () => await frames.next(),
        return: async () => {
          await frames.return()
          await source.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
