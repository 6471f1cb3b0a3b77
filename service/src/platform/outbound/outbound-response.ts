import type { Readable } from 'node:stream'
import { decodeBody } from './decode-body.ts'

/** An answer whose body has not been read yet. Read it, or discard it: until then it holds a connection. */
export interface OutboundResponse {
  status: number
  headers: Headers
  /** The address that answered, after redirects. */
  url: URL
  /** The body as it comes, unpacked; throws an `OutboundFailure`. */
  stream(): AsyncGenerator<Uint8Array, void, void>
  bytes(): Promise<Uint8Array>
  /** The body as UTF-8. */
  text(): Promise<string>
  discard(): Promise<void>
}

/** A body that nobody wants is read to its end up to this size, which keeps the connection for the next request. */
const DRAIN_BYTES = 65_536

/** The header fields of an answer; one that came several times is joined, as RFC 9110 says. */
export function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
  }
  return headers
}

export function createOutboundResponse(given: {
  status: number
  headers: Headers
  url: URL
  body: Readable
  maxBytes: number
  /** Gives what went wrong while the body was read its reason. */
  explain: (error: unknown) => unknown
  /** Called once, when the body has been read, failed or was discarded. */
  onEnd: () => void
}): OutboundResponse {
  const { status, headers, url, body, maxBytes, explain, onEnd } = given
  // A body that fails before anybody reads it must not end the process.
  body.on('error', () => {})

  async function* stream(): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield* decodeBody(body, headers.get('content-encoding') ?? '', maxBytes)
    } catch (error) {
      throw explain(error)
    } finally {
      onEnd()
    }
  }

  async function bytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of stream()) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  return {
    status,
    headers,
    url,
    stream,
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
    discard: async () => {
      try {
        let size = 0
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          size += chunk.byteLength
          if (size > DRAIN_BYTES) break
        }
      } catch {
        // Nobody wanted it.
      } finally {
        body.destroy()
        onEnd()
      }
    },
  }
}
