import { SOCKET_CLOSES } from '@citewell/contract/chat-socket'
import type { WebSocket } from 'ws'
import type { Log } from '../log/log.ts'
import { refusalFrom } from './render-refusal.ts'

/** One open WebSocket of a reader: text messages with JSON. */
export interface Socket {
  /** Sends a frame. Done when the reader keeps up; one who does not is cut off. */
  send: (frame: Record<string, unknown>) => Promise<void>
  /** Closes it, once what was sent has gone out. `reason` has at most 123 bytes. */
  close: (code: number, reason: string) => void
  /** Ends when the socket is closed, by whomever. */
  signal: AbortSignal
}

/** The side of one socket that the service speaks for. */
export interface SocketHandler {
  /** One text message. The next is handed over when this is done. */
  onText: (text: string) => Promise<void>
  /** Whether something is under way that a stop of the service should wait for. */
  isBusy: () => boolean
  /** The service stops now: say a last word to whoever waits. */
  onStop: (reason: unknown) => void
}

export interface SocketTimes {
  /** How often each socket is looked at. */
  sweepMs: number
  /** A ping goes out so often; a reader who has not answered it by the next one has gone. */
  pingMs: number
  /** A reader who takes nothing for so long, though there is something to take, is cut off. */
  stalledMs: number
  /** So much is kept for a slow reader; `send` then waits. */
  maxBufferedBytes: number
  /** Who does not answer that the socket is closed is cut off after so long. */
  closingMs: number
}

export const SOCKET_TIMES: SocketTimes = {
  sweepMs: 1_000,
  pingMs: 25_000,
  stalledMs: 15_000,
  maxBufferedBytes: 262_144,
  closingMs: 2_000,
}

/** Messages that wait for their turn: above it no more are read from the connection. */
const MOST_WAITING = 8

export interface OpenSocket {
  signal: AbortSignal
  isBusy: () => boolean
  /** Pings, and cuts off who has gone or does not read. */
  check: () => void
  /** The service stops: last words, then 1001. */
  stop: (reason: unknown) => void
  cut: () => void
}

/** Takes up a WebSocket: its messages one after another, its pings, and the end of a reader who does not read. */
export function openSocket(
  webSocket: WebSocket,
  given: { times: SocketTimes; log: Log; begin: (socket: Socket) => SocketHandler },
): OpenSocket {
  const { times, log } = given
  const departure = new AbortController()
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
    signal: departure.signal,
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
    if (waiting > MOST_WAITING) webSocket.pause()
    turn = turn.then(async () => {
      try {
        if (webSocket.readyState === webSocket.OPEN) await handler.onText(String(data))
      } catch (error) {
        const refusal = refusalFrom(error)
        if (refusal !== error) log.error({ err: error }, 'a socket failed')
        socket.close(SOCKET_CLOSES.internal, refusal.code)
      }
      waiting -= 1
      if (waiting <= MOST_WAITING && webSocket.isPaused) webSocket.resume()
    })
  }

  webSocket.on('message', onMessage)
  webSocket.on('pong', () => {
    isAlive = true
  })
  // A message that is too big, or is no WebSocket frame at all: the library closes, with the code that says so.
  webSocket.on('error', (error) => log.debug({ err: error }, 'a socket was closed for what it sent'))
  webSocket.on('close', () => {
    departure.abort(new Error('The reader has gone.'))
    for (const wake of wakers.splice(0)) wake()
  })

  return {
    signal: departure.signal,
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
