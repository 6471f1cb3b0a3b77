import { Agent, request as httpRequest } from 'node:http'
import { createListener, newHeard, type Heard } from './listen-to-stream.ts'
import { sendAtRate } from './open-loop.ts'
import type { RequestLoad, Target } from './request-load.ts'

export interface StreamTimes {
  /** For each answer, in the order of the questions. */
  firstFrameMs: number[]
  firstDeltaMs: number[]
  pieces: number
  faults: number
  /** Answers that were not complete. */
  broken: number
  /** Some of the reasons. */
  failures: string[]
  lateMs: number[]
}

/** Streams being read. */
export interface StreamLoad {
  /** Resolves when every question has been sent. */
  sent: Promise<unknown>
  /** Resolves when every answer has ended. */
  ended: Promise<StreamTimes>
  /** Answers that have started to send text, and have not ended. */
  speaking(): number
  /** Milliseconds of each piece since the last call. */
  takePieceTimes(): number[]
}

function listenTo(
  { address, path, headers }: Target,
  body: string,
  heard: Heard,
  dueAt: number,
): Promise<void> {
  return new Promise((resolve) => {
    const fail = (error: Error) => {
      heard.failure = error.message
      resolve()
    }
    // One connection each, like readers.
    const asking = httpRequest(
      new URL(path, address),
      { method: 'POST', agent: new Agent(), headers },
      (answer) => {
        if (answer.statusCode !== 200) heard.failure = `status ${answer.statusCode}`
        answer.setEncoding('utf8')
        answer.on('data', createListener(heard, dueAt))
        answer.on('end', () => resolve())
        answer.on('error', fail)
      },
    )
    asking.on('error', fail)
    asking.end(body)
  })
}

/** Opens streams at a constant rate and reads each to its end. */
export function loadWithStreams({ target, bodies, perSecond }: RequestLoad): StreamLoad {
  const all = bodies.map(newHeard)
  const ends: Promise<void>[] = []
  const ended = new Set<Heard>()
  const sent = sendAtRate(bodies.length, perSecond, (place, dueAt) => {
    const heard = all[place] ?? newHeard()
    ends.push(listenTo(target, bodies[place] ?? '', heard, dueAt).then(() => void ended.add(heard)))
  })
  return {
    sent,
    ended: (async () => {
      const lateMs = await sent
      await Promise.all(ends)
      const failures = all.flatMap(
        (heard) => heard.failure ?? (heard.pieces === 0 ? 'the model was not asked' : []),
      )
      return {
        firstFrameMs: all.flatMap(({ firstFrameMs }) => firstFrameMs ?? []),
        firstDeltaMs: all.flatMap(({ firstDeltaMs }) => firstDeltaMs ?? []),
        pieces: all.reduce((sum, { pieces }) => sum + pieces, 0),
        faults: all.reduce((sum, { faults }) => sum + faults, 0),
        broken: all.filter(({ isWhole }) => !isWhole).length,
        failures: failures.slice(0, 5),
        lateMs,
      }
    })(),
    speaking: () => all.filter((heard) => heard.pieces > 0 && !ended.has(heard)).length,
    takePieceTimes: () => all.flatMap((heard) => heard.pieceMs.splice(0)),
  }
}
