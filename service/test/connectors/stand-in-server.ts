import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface StandInRequest {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  /** The JSON of the body, or its text if it is a form; undefined if there is none. */
  body: unknown
}

export interface StandInAnswer {
  status?: number
  headers?: Record<string, string | string[]>
  /** Sent as JSON; text as it is. */
  body: unknown
  /** Ends the connection instead of answering: what was asked for has happened nevertheless. */
  hangsUp?: boolean
}

/** A stateful copy of the part of a product's API that a connector uses. */
export interface StandInServer extends AsyncDisposable {
  origin: string
  /** Requests since the last `forget`. */
  requests: StandInRequest[]
  forget(): void
  /** Answers the next requests instead: how an API misbehaves. Undefined lets one through. */
  misbehave(...answers: (StandInAnswer | undefined)[]): void
  /** Takes back what is left of it. */
  behave(): void
  /** Called before each request is answered; for a test that stops a reading in its middle. */
  onRequest: ((request: StandInRequest) => void) | undefined
  /** Takes WebSockets, for a product that has them. */
  onUpgrade?(take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void
}

/** The fields of a query that an endpoint knows: a stand-in refuses others, as it would not notice a misspelt one otherwise. */
export function unknownFields(query: URLSearchParams, known: readonly string[]): string[] {
  return [...query.keys()].filter((name) => !known.includes(name))
}

const FORM = 'application/x-www-form-urlencoded'

/** What is sent, or that its type is not one that products take. */
function readBody(sent: string, type: string): { isTaken: boolean; body?: unknown } {
  if (sent === '') return { isTaken: true }
  if (type.startsWith(FORM)) return { isTaken: true, body: sent }
  return type.startsWith('application/json') ? { isTaken: true, body: JSON.parse(sent) } : { isTaken: false }
}

/** @param answer decides what is answered; it may read and change its own state */
export async function startStandIn(
  answer: (request: StandInRequest, origin: string) => StandInAnswer | Promise<StandInAnswer>,
): Promise<StandInServer> {
  const requests: StandInRequest[] = []
  const instead: (StandInAnswer | undefined)[] = []
  let origin = ''
  const server = createServer((incoming, response) => {
    const reply = async () => {
      const url = new URL(incoming.url ?? '/', origin)
      const { isTaken, body: sent } = readBody(await text(incoming), incoming.headers['content-type'] ?? '')
      if (!isTaken) return response.writeHead(415).end()
      const request: StandInRequest = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: sent,
      }
      requests.push(request)
      standIn.onRequest?.(request)
      const { status = 200, headers = {}, body, hangsUp } = instead.shift() ?? (await answer(request, origin))
      if (hangsUp === true) return response.destroy()
      const isText = typeof body === 'string'
      response.writeHead(status, {
        'content-type': isText ? 'text/plain' : 'application/json; charset=utf-8',
        ...headers,
      })
      return response.end(isText ? body : JSON.stringify(body))
    }
    reply().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const standIn: StandInServer = {
    origin,
    requests,
    forget: () => {
      requests.length = 0
    },
    misbehave: (...answers) => void instead.push(...answers),
    behave: () => {
      instead.length = 0
    },
    onRequest: undefined,
    onUpgrade: (take) => void server.on('upgrade', take),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}
