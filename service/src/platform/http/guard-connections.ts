import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../kernel/refusal.ts'
import { endConnection } from './end-connection.ts'
import { errorBody } from './render-refusal.ts'
import { requestIdOf } from './request-id.ts'

export interface ConnectionTimes {
  /** A body has so long to arrive, whatever it is for. */
  bodyMs: number
  /** One of files, which takes longer, then has to keep this up on average. */
  slowestBytesPerSecond: number
  /** What is left of a body when its answer has been given is not waited for. */
  leftoverMs: number
  /** A reader who takes nothing of an answer for so long, though there is something to take, is cut off. */
  stalledMs: number
  /** How often all of this is looked at. */
  sweepMs: number
}

export const CONNECTION_TIMES: ConnectionTimes = {
  bodyMs: 30_000,
  slowestBytesPerSecond: 10_000,
  leftoverMs: 2_000,
  stalledMs: 30_000,
  sweepMs: 1_000,
}

export interface ConnectionLimits {
  /** Of all together; one more is closed as it comes. */
  most: number
  /** From one address. */
  mostFromAddress: number
  /** What a peer counts as; undefined for one that others stand behind. */
  countedAs: (peer: string) => string | undefined
}

/** A body that is on its way. */
interface Arriving {
  incoming: IncomingMessage
  outgoing: ServerResponse
  since: number
  bytesBefore: number
  isLong: boolean
  answeredAt: number | undefined
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Answers past the library, which may be in the middle of something: to it the client has gone. */
function endSlow({ incoming, outgoing }: Arriving): void {
  const { socket } = incoming
  if (outgoing.headersSent) return void socket.destroy()
  const requestId = requestIdOf(undefined)
  const because = 'The body of the request did not arrive in time.'
  const body = JSON.stringify(errorBody(new Refusal('BAD_REQUEST', { because }), requestId))
  const head = [
    `HTTP/1.1 408 ${STATUS_CODES[408] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ]
  endConnection(socket, [...head, '', body].join('\r\n'))
}

/**
 * Ends connections that are only held: bodies that do not arrive, answers that are not read, and too many of one address. It knows no
 * address of the service, so that none is left out.
 *
 * @param given.takesLong whether the body of a request may take long: files
 */
export function guardConnections(
  server: Server,
  given: {
    times: ConnectionTimes
    limits: ConnectionLimits
    takesLong: (request: IncomingMessage) => boolean
  },
) {
  const { times, limits } = given
  const arriving = new Set<Arriving>()
  const sockets = new Map<Socket, { flushed: number; since: number }>()
  const countOf = new Map<string, number>()

  server.maxConnections = limits.most
  server.on('connection', (socket: Socket) => {
    const from = limits.countedAs(socket.remoteAddress ?? '')
    if (from !== undefined) {
      const count = (countOf.get(from) ?? 0) + 1
      if (count > limits.mostFromAddress) return void socket.destroy()
      countOf.set(from, count)
    }
    sockets.set(socket, { flushed: 0, since: performance.now() })
    socket.once('close', () => {
      sockets.delete(socket)
      if (from === undefined) return
      const left = (countOf.get(from) ?? 1) - 1
      if (left === 0) countOf.delete(from)
      else countOf.set(from, left)
    })
  })

  function checkBody(one: Arriving, now: number): void {
    const { incoming, outgoing } = one
    if (incoming.complete || incoming.socket.destroyed) return void arriving.delete(one)
    if (outgoing.writableFinished) one.answeredAt ??= now
    const ms = now - one.since
    const bytes = incoming.socket.bytesRead - one.bytesBefore
    const owed = ((ms - times.bodyMs) / 1_000) * times.slowestBytesPerSecond
    const isLate = one.isLong ? bytes < owed : ms > times.bodyMs
    const isLeftOver = one.answeredAt !== undefined && now - one.answeredAt > times.leftoverMs
    if (!isLate && !isLeftOver) return
    arriving.delete(one)
    endSlow(one)
  }

  function checkReading(socket: Socket, state: { flushed: number; since: number }, now: number): void {
    const flushed = socket.bytesWritten - socket.writableLength
    if (socket.writableLength === 0 || flushed !== state.flushed) {
      state.flushed = flushed
      state.since = now
    } else if (now - state.since >= times.stalledMs) socket.destroy()
  }

  const sweep = setInterval(() => {
    const now = performance.now()
    for (const one of arriving) checkBody(one, now)
    for (const [socket, state] of sockets) checkReading(socket, state, now)
  }, times.sweepMs)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))

  return {
    /** Keeps an eye on a request until all of it is there. */
    watch: (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      if (!hasBody(incoming)) return
      arriving.add({
        incoming,
        outgoing,
        since: performance.now(),
        bytesBefore: incoming.socket.bytesRead,
        isLong: given.takesLong(incoming),
        answeredAt: undefined,
      })
    },
  }
}
