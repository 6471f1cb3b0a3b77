import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../kernel/refusal.ts'
import { endConnection } from './end-connection.ts'
import { requestIdOf } from './request-id.ts'

export interface ConnectionTimes {
  /** Timeout for any request body. */
  bodyMs: number
  /** Minimum average rate of a file upload, which has no fixed timeout. */
  slowestBytesPerSecond: number
  /** How long the rest of a body may take after its response has been sent. */
  leftoverMs: number
  /** A client that reads nothing for this long, although bytes are waiting, is disconnected. */
  stalledMs: number
  /** Interval between checks. */
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
  /** Maximum connections in total; any further one is closed immediately. */
  most: number
  /** Maximum per address. */
  mostFromAddress: number
  /** The key that a peer is counted under; undefined for a proxy, whose clients must not share one limit. */
  countedAs: (peer: string) => string | undefined
}

/** A request body that is being received. */
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

/** Writes the response directly to the socket, bypassing the library, which may be mid-write and sees the client as disconnected. */
function endSlow({ incoming, outgoing }: Arriving): void {
  const { socket } = incoming
  if (outgoing.headersSent) return void socket.destroy()
  const refusal = new Refusal('BAD_REQUEST', { because: 'The body of the request did not arrive in time.' })
  endConnection(socket, { status: 408, refusal, requestId: requestIdOf(undefined) })
}

/**
 * Ends connections that only hold resources: bodies that do not arrive, responses that are not read, and too many from one address.
 * It applies to all addresses of the service, so that none is left out.
 *
 * @param given.takesLong whether the body of a request may take long: file uploads
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
    /** Closes connections on which nothing was ever sent: browsers open some ahead, and Node counts them as busy. */
    closeUnused: (): void => {
      for (const [socket] of sockets) if (socket.bytesRead === 0) socket.destroy()
    },
    /** Watches a request until its body is complete. */
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
