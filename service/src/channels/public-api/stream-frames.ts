import type { EventStream } from '../../platform/http/sse.ts'

type Frame = Record<string, unknown>

/** The same stream with each frame changed. Leaving it leaves the stream below it, also before its first frame. */
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

/** A stream of frames that are known already. */
export function streamOfFrames(frames: readonly Frame[]): EventStream {
  return {
    frames: (async function* () {
      yield* frames
    })(),
    onError: () => ({}),
  }
}

/** Frames made of `events` by a generator. Leaving it ends the events too, even where the generator had not begun. */
export function framesFrom<Event>(
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
