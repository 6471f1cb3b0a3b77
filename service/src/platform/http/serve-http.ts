import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Refusal } from '../../kernel/refusal.ts'
import {
  refuseExpectation,
  refuseTunnel,
  refuseUnclearHost,
  respondToBrokenRequest,
} from './broken-requests.ts'
import {
  CONNECTION_TIMES,
  guardConnections,
  type ConnectionLimits,
  type ConnectionTimes,
} from './guard-connections.ts'
import type { OpenStreams } from './open-streams.ts'
import { refusalResponse } from './render-refusal.ts'
import { requestIdOf } from './request-id.ts'
import type { Sockets } from './sockets.ts'

export interface HttpServerGiven {
  fetch: (request: Request, bindings: HttpBindings) => Promise<Response> | Response
  host: string
  /** 0: any free port. */
  port: number
  openStreams: OpenStreams
  /** Handles WebSocket upgrades; without it they are refused. */
  sockets?: Sockets
  /** Unlimited if omitted. */
  limits?: ConnectionLimits
  /** Whether the body of a request may take long (file uploads). */
  takesLong?: (request: IncomingMessage) => boolean
  /** Overridden by tests. */
  times?: ConnectionTimes
}

const NO_LIMITS: ConnectionLimits = {
  most: Number.MAX_SAFE_INTEGER,
  mostFromAddress: Number.MAX_SAFE_INTEGER,
  countedAs: () => undefined,
}

export interface HttpServer {
  /** `http://127.0.0.1:3000` */
  address: string
  isStopping: () => boolean
  /**
   * Accepts no new connections, lets in-flight requests finish for up to `drainMs`, then ends open streams with their last frame and
   * closes all connections. A second call does not wait.
   */
  stop(drainMs: number): Promise<void>
}

/** Header and request timeouts keep slow senders from holding connections: the second is the maximum duration of an upload. */
const HEADERS_MS = 10_000
const REQUEST_MS = 600_000
/** Longer than the idle timeout of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65_000
const MAX_HEADER_BYTES = 16_384

/** How long the last frame of a stream has to reach its reader. */
const FLUSH_MS = 1_000
const SWEEP_MS = 20

const RESTARTING = 'The service is restarting. Please try again shortly.'

/** Starts listening. Rejects with the system's error when the port is in use. */
export async function serveHttp({
  fetch,
  host,
  port,
  openStreams,
  sockets,
  limits = NO_LIMITS,
  takesLong = () => false,
  times = CONNECTION_TIMES,
}: HttpServerGiven): Promise<HttpServer> {
  const listener = getRequestListener((request, bindings) => fetch(request, bindings as HttpBindings), {
    hostname: host,
    errorHandler: (error) => {
      const id = requestIdOf(undefined)
      return refusalResponse(new Refusal('BAD_REQUEST', { cause: error }), id, { 'x-request-id': id })
    },
  })
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Its own answer has no body: see refuseUnclearHost.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => sockets?.takes(request) === true,
    },
    (incoming, outgoing) => {
      if (refuseUnclearHost(incoming)) return
      guard.watch(incoming, outgoing)
      void listener(incoming, outgoing)
    },
  )
  const guard = guardConnections(server, { times, limits, takesLong })
  server.on('clientError', respondToBrokenRequest)
  server.on('checkExpectation', refuseExpectation)
  server.on('connect', refuseTunnel)
  if (sockets !== undefined) server.on('upgrade', sockets.upgrade)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address()
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port
  const shownHost = host.includes(':') ? `[${host}]` : host

  let closed: Promise<void> | undefined

  async function drain(drainMs: number): Promise<void> {
    const closing = new Promise<void>((resolve) => server.close(() => resolve()))
    // Connections that have just become idle would otherwise stay open until they time out.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      guard.closeUnused()
      sockets?.closeIdle()
    }, SWEEP_MS)
    await Promise.race([closing, delay(drainMs, undefined, { ref: false })])
    openStreams.endAll(new Refusal('UNAVAILABLE', { because: RESTARTING }))
    await Promise.race([closing, delay(FLUSH_MS, undefined, { ref: false })])
    clearInterval(sweep)
    server.closeAllConnections()
    sockets?.cutAll()
    await closing
  }

  return {
    address: `http://${shownHost}:${boundPort}`,
    isStopping: () => closed !== undefined,
    stop: async (drainMs) => {
      if (closed === undefined) closed = drain(drainMs)
      else {
        openStreams.endAll(new Refusal('UNAVAILABLE', { because: RESTARTING }))
        server.closeAllConnections()
        sockets?.cutAll()
      }
      await closed
    },
  }
}
