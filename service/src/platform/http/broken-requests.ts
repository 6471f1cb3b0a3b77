import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal } from '../../kernel/refusal.ts'
import { endConnection } from './end-connection.ts'
import { errorBody } from './render-refusal.ts'
import { requestIdOf } from './request-id.ts'

/** Statuses for errors of the HTTP parser; any other error is a 400. */
const STATUS_OF_FAULT: Record<string, { status: number; because: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, because: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, because: 'The request did not arrive in time.' },
}

/** Answers bytes that are not a valid request with the usual error body, and closes the connection. */
export function respondToBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, because } = STATUS_OF_FAULT[error.code ?? ''] ?? {
    status: 400,
    because: 'This is not a valid HTTP request.',
  }
  const requestId = requestIdOf(undefined)
  const body = JSON.stringify(errorBody(new Refusal('BAD_REQUEST', { because }), requestId))
  endConnection(
    socket,
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Bad Request'}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      '',
      body,
    ].join('\r\n'),
  )
}
