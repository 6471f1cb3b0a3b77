import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as received. */
export interface ReceivedDelivery {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The raw bytes, over which the signature is computed. */
  body: Buffer
  /** `performance.now()` when it was complete. */
  at: number
}

export interface FakeReceiver extends AsyncDisposable {
  /** Without a trailing slash. */
  origin: string
  received: ReceivedDelivery[]
  /** The deliveries of an event, as soon as there are that many; fails after `withinMs` (default 5 s). */
  waitFor(event: string, count: number, withinMs?: number): Promise<ReceivedDelivery[]>
}

/** Responds with 204 unless the test sets another response. `hang` never responds. */
export type ReceiverAnswer = 'hang' | ((response: ServerResponse, received: ReceivedDelivery) => void)

/** A receiver of webhooks on 127.0.0.1, with a response for each path. */
export async function startFakeReceiver(answers: Record<string, ReceiverAnswer> = {}): Promise<FakeReceiver> {
  const received: ReceivedDelivery[] = []
  const waiting = new Set<() => void>()

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? '/'
      const { method = '', headers } = request
      const delivery = { method, path, headers, body: Buffer.concat(chunks), at: performance.now() }
      received.push(delivery)
      for (const look of waiting) look()
      const answer = answers[path]
      if (answer === undefined) response.writeHead(204).end()
      else if (answer !== 'hang') answer(response, delivery)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  async function waitFor(event: string, count: number, withinMs = 5_000): Promise<ReceivedDelivery[]> {
    const found = () => received.filter(({ headers }) => headers['x-service-event'] === event)
    if (found().length < count) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`${found().length} of ${count} deliveries of ${event} came within ${withinMs} ms`))
        }, withinMs)
        const look = () => {
          if (found().length < count) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
    }
    return found()
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    waitFor,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
