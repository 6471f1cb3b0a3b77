import type { IncomingMessage } from 'node:http'

/** Where a request comes from. */
export interface RequestSource {
  /** Peer address of the socket; empty if the request did not arrive over one. */
  clientAddress: string
  /** The header `X-Forwarded-For`, which anyone may send: `readerAddress` says whose is trusted. */
  forwardedFor: string | undefined
}

export function requestSource(incoming: IncomingMessage | undefined): RequestSource {
  const forwardedFor = incoming?.headers['x-forwarded-for']
  return {
    clientAddress: incoming?.socket.remoteAddress ?? '',
    forwardedFor: forwardedFor === undefined ? undefined : String(forwardedFor),
  }
}
