import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Transform, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ChosenBy } from './chosen-by.ts'
import type { ConnectionGuard } from './guarded-connection.ts'

/** A forward proxy on this machine for one page in a browser. It does not decrypt or change any traffic. */
export interface GuardedProxy extends AsyncDisposable {
  port: number
}

/** What one page may download and send in total. */
const MAX_BYTES_IN = 50_000_000
const MAX_BYTES_OUT = 1_000_000
const MAX_CONNECTIONS = 64
const MAX_EXCHANGES = 400

/** Headers of a single connection (hop-by-hop headers and Host), which are not forwarded. */
const HOP_BY_HOP_HEADERS = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The first byte of a TLS handshake: a tunnel carries only TLS. */
const TLS_HANDSHAKE = 0x16

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']

function targetOf(url: string): URL | undefined {
  const target = URL.parse(url)
  return target?.protocol === 'http:' && target.username === '' && target.password === '' ? target : undefined
}

function authorityOf(url: string): { hostname: string; port: number } | undefined {
  const target = URL.parse(`https://${url}`)
  if (target === null || target.pathname !== '/' || target.username !== '') return undefined
  return { hostname: target.hostname, port: Number(target.port === '' ? 443 : target.port) }
}

const kept = <Value>(headers: Record<string, Value | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !HOP_BY_HOP_HEADERS.has(name)),
  ) as Record<string, Value>

/**
 * The browser connects through this proxy to hosts that were looked up and checked for the page that it renders.
 *
 * @param deps.onOverrun called once, with a description, when the page exceeds a limit
 */
export async function startGuardedProxy(deps: {
  guard: ConnectionGuard
  chooserFor: (hostname: string) => ChosenBy
  page: string
  onOverrun: (words: string) => void
}): Promise<GuardedProxy> {
  const { guard, page, chooserFor } = deps
  const pageOrigin = new URL(page).origin
  const ending = new AbortController()
  const sockets = new Set<Duplex>()
  let bytesIn = 0
  let bytesOut = 0
  let exchanges = 0

  function overrun(words: string): Error {
    deps.onOverrun(words)
    const error = new Error(words)
    ending.abort(error)
    return error
  }
  const counted = (direction: 'in' | 'out') =>
    new Transform({
      transform: (chunk: Uint8Array, _encoding, done) => {
        if (direction === 'in') bytesIn += chunk.byteLength
        else bytesOut += chunk.byteLength
        if (bytesIn > MAX_BYTES_IN) done(overrun(`it loads more than ${MAX_BYTES_IN / 1_000_000} MB`))
        else if (bytesOut > MAX_BYTES_OUT) done(overrun('it sends more than 1 MB'))
        else done(null, chunk)
      },
    })
  const takeExchange = () => {
    exchanges += 1
    if (exchanges > MAX_EXCHANGES) throw overrun(`it makes more than ${MAX_EXCHANGES} requests`)
    ending.signal.throwIfAborted()
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    takeExchange()
    const target = targetOf(request.url ?? '')
    const method = request.method ?? ''
    const isAllowed =
      target !== undefined && METHODS.includes(method) && (method !== 'POST' || target.origin === pageOrigin)
    if (!isAllowed) throw new Error('not sent')
    const answer = await guard.agentFor(chooserFor(target.hostname)).request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: kept(request.headers),
      body: method === 'POST' ? request.pipe(counted('out')) : null,
      signal: ending.signal,
    })
    response.writeHead(answer.statusCode, kept(answer.headers))
    await pipeline(answer.body, counted('in'), response)
  }

  async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    takeExchange()
    const authority = authorityOf(request.url ?? '')
    if (authority === undefined) throw new Error('no such tunnel')
    const { hostname, port } = authority
    const host: Socket = await guard.connect(hostname, port, chooserFor(hostname))
    hold(host)
    ending.signal.throwIfAborted()
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) client.unshift(head)
    const first = await new Promise<Buffer>((resolve, reject) => {
      client.once('data', resolve)
      client.once('close', () => reject(new Error('closed')))
    })
    client.pause()
    if (first[0] !== TLS_HANDSHAKE) throw new Error('not encrypted')
    client.unshift(first)
    await Promise.all([pipeline(client, counted('out'), host), pipeline(host, counted('in'), client)])
  }

  function hold(socket: Duplex): void {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }

  const server = createServer({ maxHeaderSize: 65_536, requestTimeout: 0 }, (request, response) => {
    response.on('error', () => {})
    // The connection is just closed: the page would take a response of ours for one of the host.
    forward(request, response).catch(() => response.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', hold)
  server.on('upgrade', (_request, socket: Duplex) => socket.destroy())
  server.on('clientError', (_error, socket: Duplex) => socket.destroy())
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    tunnel(request, client, head).catch(() => {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      client.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      ending.abort(new Error('The page is closed.'))
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
