import { now } from '../processes/clock.ts'

/** What was heard of one answer so far. */
export interface Heard {
  /** Milliseconds from when the question was due. */
  firstFrameMs: number | undefined
  /** From the model's sending of its first piece until it was here. */
  firstDeltaMs: number | undefined
  /** The same of each piece since `pieceMs` was last emptied. */
  pieceMs: number[]
  pieces: number
  /** Pieces that came out of order, twice, or not at all. */
  faults: number
  /** The last piece was heard, and the frame that says that it is done. */
  isWhole: boolean
  failure: string | undefined
}

export const newHeard = (): Heard => ({
  firstFrameMs: undefined,
  firstDeltaMs: undefined,
  pieceMs: [],
  pieces: 0,
  faults: 0,
  isWhole: false,
  failure: undefined,
})

interface Frame {
  delta?: string
  done: boolean
  error?: string
}

/**
 * Reads the frames of a stream, part by part. Pieces are told apart, numbered and timed by what the fake model says, so
 * that nothing of it can be lost, doubled or swapped unseen.
 *
 * @param dueAt - when the question was due, by `performance.now()`
 */
export function createListener(heard: Heard, dueAt: number) {
  let rest = ''
  let hasLast = false

  function takeDelta(text: string, arrivedAt: number): void {
    // Several pieces may come in one frame, but none in parts.
    for (const piece of text.trim().split(' ')) {
      const [number = '', sentAt] = piece.split(':')
      if (number.replace('!', '') !== String(heard.pieces)) heard.faults += 1
      heard.pieces += 1
      hasLast = number.endsWith('!')
      const ms = (arrivedAt - Number(sentAt)) / 1_000
      heard.firstDeltaMs ??= ms
      heard.pieceMs.push(ms)
    }
  }

  function takeFrame(frame: Frame, arrivedAt: number): void {
    heard.firstFrameMs ??= performance.now() - dueAt
    if (frame.error !== undefined) heard.failure = frame.error
    else if (frame.delta !== undefined) takeDelta(frame.delta, arrivedAt)
    else if (frame.done) heard.isWhole = hasLast
  }

  return (text: string) => {
    const arrivedAt = now()
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data: ')) takeFrame(JSON.parse(line.slice(6)) as Frame, arrivedAt)
    }
  }
}
