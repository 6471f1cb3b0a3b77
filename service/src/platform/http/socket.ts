import { SOCKET_CLOSES } from '@citewell/contract/closed-lists'
import type { WebSocket } from 'ws'
import type { Log } from '../log/log.ts'
import { refusalFrom } from './render-refusal.ts'

/** One open WebSocket: text messages with JSON. */
export interface Socket {
  /** Sends a frame. Resolves when the reader keeps up; a reader that does not is disconnected. */
  send: (frame: Record<string, unknown>) => Promise<void>
  /** Closes the socket after everything has been sent. `reason` has at most 123 bytes. */
  close: (code: number, reason: string) => void
  /** Aborted when either side closes the socket. */
  signal: AbortSignal
}

/** The application side of one socket. */
export interface SocketHandler {
  /** Handles one text message. The next is delivered when this resolves. */
  onText: (text: string) => Promise<void>
  /** Whether work is in flight that a stop of the service should wait for. */
  isBusy: () => boolean
  /** The service stops now: send a final frame to a waiting reader. */
  onStop: (reason: unknown) => void
}

export interface SocketTimes {
  /** Interval between checks of each socket. */
  sweepMs: number
  /** Interval between pings; a reader that has not answered one before the next is disconnected. */
  pingMs: number
  /** A reader that takes nothing for this long, although data is waiting, is disconnected. */
  stalledMs: number
  /** High-water mark of the send buffer; `send` then waits. */
  maxBufferedBytes: number
  /** How long a reader has to answer a close frame before it is disconnected. */
  closingMs: number
}

export const SOCKET_TIMES: SocketTimes = {
  sweepMs: 1_000,
  pingMs: 25_000,
  stalledMs: 15_000,
  maxBufferedBytes: 262_144,
  closingMs: 2_000,
}

/** Maximum number of queued messages: above it reading from the connection pauses. */
const MAX_WAITING = 8

export interface OpenSocket {
  signal: AbortSignal
  isBusy: () => boolean
  /** Sends pings, and disconnects readers that are gone or do not read. */
  check: () => void
  /** The service stops: final frames, then close code 1001. */
  stop: (reason: unknown) => void
  cut: () => void
}

/** Runs a WebSocket: delivers its messages in order, sends pings, and disconnects a reader that does not read. */
export function openSocket(
  webSocket: WebSocket,
  given: { times: SocketTimes; log: Log; begin: (socket: Socket) => SocketHandler },
): OpenSocket {
  const { times, log } = given
  const abortController = new AbortController()
  const wakers: (() => void)[] = []
  let lastTaken = performance.now()
  let lastPing = performance.now()
  let isAlive = true
  let closingSince: number | undefined
  let waiting = 0
  let turn = Promise.resolve()

  function onTaken(): void {
    lastTaken = performance.now()
    if (webSocket.bufferedAmount <= times.maxBufferedBytes) for (const wake of wakers.splice(0)) wake()
  }

  const socket: Socket = {
    signal: abortController.signal,
    send: async (frame) => {
      if (webSocket.readyState !== webSocket.OPEN) return
      if (webSocket.bufferedAmount === 0) lastTaken = performance.now()
      webSocket.send(JSON.stringify(frame), onTaken)
      if (webSocket.bufferedAmount > times.maxBufferedBytes)
        await new Promise<void>((resolve) => {
          wakers.push(resolve)
        })
    },
    close: (code, reason) => webSocket.close(code, reason),
  }
  const handler = given.begin(socket)

  function onMessage(data: unknown, isBinary: boolean): void {
    if (isBinary) return socket.close(SOCKET_CLOSES.badFrame, 'Send text.')
    waiting += 1
    if (waiting > MAX_WAITING) webSocket.pause()
    turn = turn.then(async () => {
      try {
        if (webSocket.readyState === webSocket.OPEN) await handler.onText(String(data))
      } catch (error) {
        const refusal = refusalFrom(error)
        if (refusal !== error) log.error({ err: error }, 'a socket failed')
        socket.close(SOCKET_CLOSES.internal, refusal.code)
      }
      waiting -= 1
      if (waiting <= MAX_WAITING && webSocket.isPaused) webSocket.resume()
    })
  }

  webSocket.on('message', onMessage)
  webSocket.on('pong', () => {
    isAlive = true
  })
  // A message that is too big or not a valid WebSocket frame: the library closes the socket with the right code.
  webSocket.on('error', (error) =>
    log.debug({ err: error }, 'a socket was closed because of an invalid message'),
  )
  webSocket.on('close', () => {
    abortController.abort(new Error('The reader disconnected.'))
    for (const wake of wakers.splice(0)) wake()
  })

  return {
    signal: abortController.signal,
    isBusy: handler.isBusy,
    check: () => {
      const now = performance.now()
      if (webSocket.readyState === webSocket.CLOSING) {
        closingSince ??= now
        if (now - closingSince >= times.closingMs) webSocket.terminate()
        return
      }
      if (webSocket.bufferedAmount > 0 && now - lastTaken >= times.stalledMs) return webSocket.terminate()
      if (now - lastPing < times.pingMs) return
      if (!isAlive) return webSocket.terminate()
      isAlive = false
      lastPing = now
      webSocket.ping()
    },
    stop: (reason) => {
      if (webSocket.readyState !== webSocket.OPEN) return
      handler.onStop(reason)
      socket.close(SOCKET_CLOSES.goingAway, 'The service is restarting.')
    },
    cut: () => webSocket.terminate(),
  }
}
