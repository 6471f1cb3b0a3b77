/** A language model with exactly known timing: each piece contains its number and the time at which it was sent. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'
import { now } from './clock.ts'

/** The timing of answers from now on; in-flight answers switch to it too. */
export interface Pace {
  /** From the question to the first piece. */
  firstPieceMs: number
  /** Between two pieces. */
  everyMs: number
  /** Per answer; the last one is marked. */
  pieces: number
}

interface Answer {
  response: ServerResponse
  said: number
  nextAt: number
}

/** Often enough that the pieces of a thousand answers do not come in bursts. */
const TICK_MS = 4

let pace: Pace = { firstPieceMs: 50, everyMs: 50, pieces: 20 }
const open = new Set<Answer>()

const HEAD = `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{"content":"`
const TAIL = `"},"finish_reason":null}]}\n\n`
const END = `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`

function tick(): void {
  const time = performance.now()
  for (const answer of open) {
    if (answer.nextAt > time) continue
    const number = answer.said
    answer.said += 1
    const isLast = answer.said >= pace.pieces
    // E.g. ` 17:1234567890`: number and microseconds of the clock that all processes share; the last has a `!`.
    answer.response.write(`${HEAD} ${number}${isLast ? '!' : ''}:${now()}${TAIL}`)
    // A late tick does not delay the answer further, but does not cause a burst either.
    answer.nextAt = Math.max(answer.nextAt + pace.everyMs, time)
    if (!isLast) continue
    open.delete(answer)
    answer.response.end(END)
  }
}
setInterval(tick, TICK_MS)

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    const answer = { response, said: 0, nextAt: performance.now() + pace.firstPieceMs }
    open.add(answer)
    response.on('close', () => open.delete(answer))
  })
})

answerParent({
  listen: () =>
    new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
      })
    }),
  /** Spreads in-flight answers evenly over the time between two pieces. */
  setPace: (wanted: Pace) => {
    pace = wanted
    const time = performance.now()
    let place = 0
    for (const answer of open) {
      answer.nextAt = time + (pace.everyMs * place) / open.size
      place += 1
    }
  },
  openAnswers: () => open.size,
})
