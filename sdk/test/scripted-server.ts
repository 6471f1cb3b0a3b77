import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

/** A server whose answers a test scripts: the next one for each request, and the last one from then on. */
export async function startScriptedServer(
  ...answers: ((response: ServerResponse, request: ReceivedRequest) => void)[]
) {
  const received: ReceivedRequest[] = []
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>,
    }
    received.push(one)
    answers[Math.min(received.length, answers.length) - 1]?.(response, one)
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers with JSON. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))

/** Answers with a refusal of the service. */
export const refusal = (
  status: number,
  code: string,
  retryable: boolean,
  headers: Record<string, string> = {},
) => json(status, { error: `It is ${code}.`, code, retryable, request_id: 'r1' }, headers)

/** One event of a stream. */
export const eventOf = (frame: object) => `data: ${JSON.stringify(frame)}\n\n`

/** Answers with frames, and ends the stream. */
export const frames =
  (...all: object[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(all.map(eventOf).join(''))
  }

export const START = { done: false }
export const DELTA = { delta: 'Every day ', done: false }
export const DONE = {
  done: true,
  citations: [],
  covered: true,
  confidence: 0.9,
  message_id: 'm1',
  thread_id: 't1',
}
