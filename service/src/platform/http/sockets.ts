import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Endpoint } from '@citewell/contract/endpoint'
import { WebSocketServer } from 'ws'
import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import type { Log } from '../log/log.ts'
import type { OpenStreams } from './open-streams.ts'
import { endConnection } from './end-connection.ts'
import { requestIdOf } from './request-id.ts'
import { requestSource, type RequestSource } from './request-source.ts'
import {
  openSocket,
  SOCKET_TIMES,
  type OpenSocket,
  type Socket,
  type SocketHandler,
  type SocketTimes,
} from './socket.ts'

/** What is known of a reader when the socket opens. */
export interface SocketFacts extends RequestSource {
  params: Record<string, string>
  /** Origin of the page; `undefined` for a server. Not checked yet: browsers send no preflight before they open a socket. */
  origin: string | undefined
  acceptLanguage: string | undefined
  requestId: string
}

export interface SocketRoute {
  endpoint: Endpoint
  /** Handles a new socket. */
  open: (socket: Socket, facts: SocketFacts) => SocketHandler
  /** Maximum size of one message; a longer one closes the socket with 1009. */
  maxMessageBytes: number
}

export interface SocketsDeps {
  routes: readonly SocketRoute[]
  log: Log
  openStreams: OpenStreams
  isStopping: () => boolean
  times?: SocketTimes
  /** Maximum number of open sockets per address. */
  mostFromAddress?: number
  /** The reader's address, taking trusted proxies into account; undefined if clients cannot be distinguished. */
  addressOf?: (source: RequestSource) => string | undefined
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

/** The only version of the protocol (RFC 6455, section 4.1). */
const VERSION = '13'

/** Headers that a client needs to ask again in another way (RFC 6455, section 4.4). */
const HEADERS: Partial<Record<RefusalCode, readonly string[]>> = {
  UPGRADE_REQUIRED: ['Upgrade: websocket', `Sec-WebSocket-Version: ${VERSION}`],
}

/** Answers an upgrade request that is not accepted. */
const refuse = (socket: Duplex, refusal: Refusal, requestId: string): void =>
  endConnection(socket, {
    status: REFUSALS[refusal.code].status,
    refusal,
    requestId,
    headers: HEADERS[refusal.code] ?? [],
  })

/** The WebSockets of the service: the addresses that accept them, and the open ones. */
export function createSockets({
  routes,
  log,
  openStreams,
  isStopping,
  times = SOCKET_TIMES,
  mostFromAddress = Number.MAX_SAFE_INTEGER,
  addressOf = () => undefined,
}: SocketsDeps) {
  const known = routes.map((route) => ({
    route,
    pattern: patternOf(route.endpoint.path),
    server: new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: route.maxMessageBytes,
      perMessageDeflate: false,
    }),
  }))
  for (const { server } of known) {
    server.on('wsClientError', (_, connection, request) => {
      const because = 'This is not a valid WebSocket handshake.'
      refuse(
        connection,
        new Refusal('BAD_REQUEST', { because }),
        requestIdOf(String(request.headers['x-request-id'] ?? '')),
      )
    })
  }
  const open = new Set<OpenSocket>()
  const countOf = new Map<string, number>()
  let sweep: NodeJS.Timeout | undefined

  function take(opened: OpenSocket): void {
    open.add(opened)
    sweep ??= setInterval(() => {
      for (const one of open) one.check()
    }, times.sweepMs)
    const forget = openStreams.add((reason) => opened.stop(reason))
    opened.signal.addEventListener(
      'abort',
      () => {
        open.delete(opened)
        forget()
        if (open.size > 0) return
        clearInterval(sweep)
        sweep = undefined
      },
      { once: true },
    )
  }

  /** Counts a connection until it is closed. */
  function hold(from: string, connection: Duplex): void {
    countOf.set(from, (countOf.get(from) ?? 0) + 1)
    connection.once('close', () => {
      const left = (countOf.get(from) ?? 1) - 1
      if (left === 0) countOf.delete(from)
      else countOf.set(from, left)
    })
  }

  const pathOf = ({ url }: Pick<IncomingMessage, 'url'>) =>
    URL.parse(url ?? '/', 'http://local')?.pathname ?? '/'

  /** Whether a request asks for a WebSocket at an address that has one. Other Upgrade requests are ignored (RFC 9110, 7.8). */
  const takes = (request: Pick<IncomingMessage, 'url' | 'headers'>) =>
    /\bwebsocket\b/i.test(request.headers.upgrade ?? '') &&
    known.some(({ pattern }) => pattern.test(pathOf(request)))

  function upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const requestId = requestIdOf(String(request.headers['x-request-id'] ?? ''))
    const fault = () => connection.destroy()
    connection.on('error', fault)
    const pathname = pathOf(request)
    if (isStopping()) return refuse(connection, new Refusal('UNAVAILABLE'), requestId)
    for (const { route, pattern, server } of known) {
      const params = pattern.exec(pathname)?.groups
      if (params === undefined) continue
      // The library also accepts version 8, of a draft.
      if (request.headers['sec-websocket-version'] !== VERSION)
        return refuse(connection, new Refusal('UPGRADE_REQUIRED'), requestId)
      const facts: SocketFacts = {
        params: { ...params },
        origin: request.headers.origin,
        acceptLanguage: request.headers['accept-language'],
        ...requestSource(request),
        requestId,
      }
      const from = addressOf(facts)
      if (from !== undefined && (countOf.get(from) ?? 0) >= mostFromAddress) {
        const because = 'Too many sockets are open from this address.'
        return refuse(connection, new Refusal('RATE_LIMITED', { because }), requestId)
      }
      if (from !== undefined) hold(from, connection)
      server.handleUpgrade(request, connection, head, (webSocket) => {
        connection.off('error', fault)
        take(openSocket(webSocket, { times, log, begin: (socket) => route.open(socket, facts) }))
      })
      return
    }
    refuse(connection, new Refusal('NOT_FOUND'), requestId)
  }

  return {
    takes,
    upgrade,
    count: () => open.size,
    /** Closes the sockets without in-flight work. */
    closeIdle: () => {
      for (const one of open) if (!one.isBusy()) one.stop(new Refusal('UNAVAILABLE'))
    },
    /** Destroys every connection. */
    cutAll: () => {
      for (const one of open) one.cut()
    },
  }
}

export type Sockets = ReturnType<typeof createSockets>
