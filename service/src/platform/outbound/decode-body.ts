import { pipeline, Transform, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** The content encodings that this service can decode; sent as Accept-Encoding. */
export const ACCEPTED_ENCODINGS = 'gzip, br, zstd'

/** A body that decompresses to more than this many times its size is a decompression bomb; small ones are allowed. */
const MAX_RATIO = 100
const RATIO_COUNTS_FROM_BYTES = 1_048_576

/** More than one encoding is rare; more than two is not legitimate. */
const MAX_LAYERS = 2

const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  deflate: () => createInflate(),
}

/** The body is larger than allowed, compressed or decompressed. */
export class BodyTooLarge extends Error {}

/** The body does not match its `Content-Encoding`. */
export class BodyNotDecodable extends Error {}

function decodersOf(contentEncoding: string): Transform[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MAX_LAYERS) throw new BodyNotDecodable('too many content encodings')
  return names.reverse().map((name) => {
    const decoder = DECODERS[name]
    if (decoder === undefined) throw new BodyNotDecodable(`unknown content encoding ${name}`)
    return decoder()
  })
}

/** A body as it is read: one generator of the caller iterates it, since each further one costs time for every piece of a streamed answer. */
export interface DecodedBody {
  /** Decompressed. */
  chunks: AsyncIterable<Uint8Array>
  /** Call it with each chunk. @throws BodyTooLarge as soon as the body is too large */
  count: (chunk: Uint8Array) => void
}

/**
 * Opens a body for reading. Errors of its iteration are converted by `decodingFault`.
 *
 * @throws BodyNotDecodable for an encoding that is not known
 */
export function decodeBody(body: Readable, contentEncoding: string, maxBytes: number): DecodedBody {
  const decoders = decodersOf(contentEncoding)
  let wireBytes = 0
  let bytes = 0
  if (decoders.length === 0)
    return {
      chunks: body,
      count: ({ byteLength }) => {
        bytes += byteLength
        if (bytes > maxBytes) throw new BodyTooLarge('too many bytes on the wire')
      },
    }
  const counter = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      wireBytes += chunk.byteLength
      done(wireBytes > maxBytes ? new BodyTooLarge('too many bytes on the wire') : null, chunk)
    },
  })
  const stages = [counter, ...decoders]
  // The iteration of the last one throws errors; this call only connects the streams.
  const last = stages.reduce<Readable>((from, stage) => pipeline(from, stage, () => {}), body)
  return {
    chunks: last,
    count: ({ byteLength }) => {
      bytes += byteLength
      const isTrap = bytes > RATIO_COUNTS_FROM_BYTES && bytes > wireBytes * MAX_RATIO
      if (bytes > maxBytes || isTrap) throw new BodyTooLarge('too many bytes unpacked')
    },
  }
}

/** An error of the iteration of a decoded body: those of the decoders become `BodyNotDecodable`. */
export function decodingFault(error: unknown): unknown {
  const isOfZlib =
    error instanceof Error && 'code' in error && /^(Z_|ERR__|ERR_BROTLI|ZSTD_)/.test(String(error.code))
  return isOfZlib ? new BodyNotDecodable('broken compression', { cause: error }) : error
}
