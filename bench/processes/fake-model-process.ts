/** A language model whose timing is known exactly: every piece that it says names its own number and when it was sent. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'
import { now } from './clock.ts'

/** How answers go, from now on; those under way take up the new pace too. */
export interface Pace {
  /** From the question to the first piece. */
  firstPieceMs: number
  /** Between two pieces. */
  everyMs: number
  /** Of an answer, the last one marked. */
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
    // As in ` 17:1234567890`, microseconds of the clock that all processes share; the last with `!`.
    answer.response.write(`${HEAD} ${number}${isLast ? '!' : ''}:${now()}${TAIL}`)
    // Late ticks do not slow the answer down, but they do not make it rush either.
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
  /** Answers under way are spread anew over the time between two pieces. */
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
