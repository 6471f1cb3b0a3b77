import type { Duplex } from 'node:stream'
import { Refusal } from '../../kernel/refusal.ts'
import { endConnection } from './end-connection.ts'
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
  const refusal = new Refusal('BAD_REQUEST', { because })
  endConnection(socket, { status, refusal, requestId: requestIdOf(undefined) })
}
