import type { IncomingMessage } from 'node:http'
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
  const fault = STATUS_OF_FAULT[error.code ?? ''] ?? {
    status: 400,
    because: 'This is not a valid HTTP request.',
  }
  answerBroken(socket, fault)
}

/** Answers a request that is not handed on with the usual error body, and closes the connection. */
function answerBroken(connection: Duplex, { status, because }: { status: number; because: string }): void {
  const refusal = new Refusal('BAD_REQUEST', { because })
  endConnection(connection, { status, refusal, requestId: requestIdOf(undefined) })
}

const hostsOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length

/** Refuses a request whose host is not clear: of two, a proxy in front may have used the other one (RFC 9112, 3.2). */
export function refuseUnclearHost(incoming: IncomingMessage): boolean {
  const hosts = hostsOf(incoming)
  if (hosts === 1 || (hosts === 0 && incoming.httpVersion !== '1.1')) return false
  const because = hosts === 0 ? 'The request has no Host header.' : 'The request has several Host headers.'
  answerBroken(incoming.socket, { status: 400, because })
  return true
}

/** Any expectation but `100-continue`, which the HTTP library meets. */
export const refuseExpectation = ({ socket }: IncomingMessage): void =>
  answerBroken(socket, { status: 417, because: 'No expectation but 100-continue can be met.' })

/** This is no proxy. */
export const refuseTunnel = (_request: IncomingMessage, socket: Duplex): void =>
  answerBroken(socket, { status: 405, because: 'This service opens no tunnels.' })
