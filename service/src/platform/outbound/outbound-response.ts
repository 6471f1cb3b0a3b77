import type { Readable } from 'node:stream'
import { decodeBody, decodingFault } from './decode-body.ts'

/** A response whose body has not been read yet. Read it or discard it: until then it holds a connection. */
export interface OutboundResponse {
  status: number
  headers: Headers
  /** The final address, after redirects. */
  url: URL
  /** The body as a stream, decompressed; throws an `OutboundFailure`. */
  stream(): AsyncGenerator<Uint8Array, void, void>
  bytes(): Promise<Uint8Array>
  /** The body as UTF-8. */
  text(): Promise<string>
  discard(): Promise<void>
}

/** A discarded body is read to its end up to this size, so that the connection can be reused. */
const DRAIN_BYTES = 65_536

/** The headers of a response; repeated fields are joined (RFC 9110, 5.3). */
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
  /** Converts an error while the body was read. */
  explain: (error: unknown) => unknown
  /** Called once, when the body has been read, has failed or was discarded. */
  onEnd: () => void
}): OutboundResponse {
  const { status, headers, url, body, maxBytes, explain, onEnd } = given
  // An error before the body is read must not crash the process.
  body.on('error', () => {})

  async function* stream(): AsyncGenerator<Uint8Array, void, void> {
    try {
      const { chunks, count } = decodeBody(body, headers.get('content-encoding') ?? '', maxBytes)
      for await (const chunk of chunks) {
        count(chunk)
        yield chunk
      }
    } catch (error) {
      throw explain(decodingFault(error))
    } finally {
      body.destroy()
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
        // The body was discarded.
      } finally {
        body.destroy()
        onEnd()
      }
    },
  }
}
