import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../../kernel/refusal.ts'
import { errorBody } from './render-refusal.ts'

/** How long a client has to receive the last bytes and close its side. */
const LINGER_MS = 1_000

/**
 * Answers with the usual error body where the HTTP library cannot, and closes the connection. It does not wait long for a client that keeps
 * its side open: otherwise the service could never stop.
 */
export function endConnection(
  connection: Duplex,
  {
    status,
    refusal,
    requestId,
    headers = [],
  }: { status: number; refusal: Refusal; requestId: string; headers?: readonly string[] },
): void {
  const timer = setTimeout(() => connection.destroy(), LINGER_MS)
  timer.unref()
  connection.once('close', () => clearTimeout(timer))
  const body = JSON.stringify(errorBody(refusal, requestId))
  connection.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Bad Request'}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      ...headers,
      '',
      body,
    ].join('\r\n'),
  )
}
