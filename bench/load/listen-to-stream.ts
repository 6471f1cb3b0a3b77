import { now } from '../processes/clock.ts'

/** What has been received of one answer. */
export interface Heard {
  /** Milliseconds since the question was due. */
  firstFrameMs: number | undefined
  /** From the model sending its first piece until its arrival here. */
  firstDeltaMs: number | undefined
  /** The same for each piece since `pieceMs` was last emptied. */
  pieceMs: number[]
  pieces: number
  /** Pieces that were out of order, duplicated, or missing. */
  faults: number
  /** The last piece and the final frame have arrived. */
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
 * Parses the frames of a stream incrementally. The fake model writes a number and a time into each piece, so that a lost, duplicated or
 * reordered piece is always detected.
 *
 * @param dueAt - when the question was due, by `performance.now()`
 */
export function createListener(heard: Heard, dueAt: number) {
  let rest = ''
  let hasLast = false

  function takeDelta(text: string, arrivedAt: number): void {
    // One frame may contain several pieces, but never a part of one.
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
