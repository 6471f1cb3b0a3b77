import { WebSocket, type RawData } from 'ws'
import type { ChosenBy } from './chosen-by.ts'
import { pinnedLookup, type ConnectionGuard } from './guarded-connection.ts'
import { OutboundFailure, reasonOf } from './outbound-failure.ts'

export interface OutboundSocketRequest {
  chosenBy: ChosenBy
  headers?: Record<string, string>
  /** Ends the connection. */
  signal: AbortSignal
  /** The largest message that is taken; a larger one ends the connection. */
  maxBytes: number
  /** False where the server has a heartbeat of its own, which the caller keeps. */
  pings?: boolean
  /** Called with each message of text, in their order, when the caller has the connection. Whatever it throws ends the connection. */
  onText: (text: string) => void
}

export interface OutboundSocket {
  send(text: string): void
  close(): void
  /** Ends when the connection has ended, for whatever reason: with the close code of the server, or 1006 if it gave none. */
  closed: Promise<number>
}

export type OpenSocket = (address: string, request: OutboundSocketRequest) => Promise<OutboundSocket>

const CONNECT_TIMEOUT_MS = 15_000
/** Without an answer to a ping for so long, the connection is taken for dead. */
const PING_EVERY_MS = 30_000

const portOf = (url: URL) => Number(url.port === '' ? (url.protocol === 'wss:' ? 443 : 80) : url.port)

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString('utf8')

/** Pings; a connection that does not answer is ended. Returns how to stop it. */
function keepAlive(socket: WebSocket): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive || socket.readyState !== WebSocket.OPEN) return socket.terminate()
    isAlive = false
    socket.ping()
    return undefined
  }, PING_EVERY_MS)
  return () => clearInterval(timer)
}

/** Opens WebSockets to addresses that passed the guard, never elsewhere: redirects are not followed. */
export const createGuardedSocket =
  (guard: Pick<ConnectionGuard, 'checkHost'>): OpenSocket =>
  async (address, { chosenBy, headers = {}, signal, maxBytes, pings = true, onText }) => {
    const url = URL.parse(address)
    if (url === null || (url.protocol !== 'ws:' && url.protocol !== 'wss:') || url.hostname === '')
      throw new OutboundFailure('bad_address', { host: url?.host ?? '', chosenBy })
    if (url.username !== '' || url.password !== '')
      throw new OutboundFailure('userinfo', { host: url.host, chosenBy })
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = await guard.checkHost(hostname, portOf(url), chosenBy)
    signal.throwIfAborted()
    const socket = new WebSocket(url, {
      headers,
      lookup: pinnedLookup(addresses),
      followRedirects: false,
      maxPayload: maxBytes,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      perMessageDeflate: false,
    })
    const end = () => socket.terminate()
    signal.addEventListener('abort', end)
    const stopPings = pings ? keepAlive(socket) : undefined
    // The time limit of `ws` is one of silence: a server may send its answer byte by byte.
    const deadline = setTimeout(end, CONNECT_TIMEOUT_MS)
    const closed = new Promise<number>((resolve) => {
      socket.once('close', (code) => {
        stopPings?.()
        clearTimeout(deadline)
        signal.removeEventListener('abort', end)
        resolve(code)
      })
    })
    socket.on('message', (data, isBinary) => {
      if (isBinary) return
      try {
        onText(textOf(data))
      } catch {
        // What a server sends must not end the process.
        socket.terminate()
      }
    })
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => {
        clearTimeout(deadline)
        // A message may have come together with the greeting.
        socket.pause()
        resolve()
      })
      // Later errors end the connection, which `closed` tells.
      socket.on('error', (cause) =>
        reject(new OutboundFailure(reasonOf(cause), { host: hostname, chosenBy, cause })),
      )
    })
    setImmediate(() => socket.resume())
    return { send: (text) => socket.send(text), close: () => socket.close(), closed }
  }
