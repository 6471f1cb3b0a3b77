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

/** A body without encoding, such as a model's answer, which streams for minutes: it needs no further streams. */
async function* limitBody(body: Readable, maxBytes: number): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new BodyTooLarge('too many bytes on the wire')
      yield chunk
    }
  } finally {
    body.destroy()
  }
}

/** Yields a decompressed body, and stops as soon as it is too large; throws one of the two errors above. */
export async function* decodeBody(
  body: Readable,
  contentEncoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  const decoders = decodersOf(contentEncoding)
  if (decoders.length === 0) {
    yield* limitBody(body, maxBytes)
    return
  }
  let wireBytes = 0
  let bytes = 0
  const counter = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      wireBytes += chunk.byteLength
      done(wireBytes > maxBytes ? new BodyTooLarge('too many bytes on the wire') : null, chunk)
    },
  })
  const stages = [counter, ...decoders]
  // The iteration below throws errors; this call only connects the streams.
  const last = stages.reduce<Readable>((from, stage) => pipeline(from, stage, () => {}), body)
  try {
    for await (const chunk of last as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      const isTrap = bytes > RATIO_COUNTS_FROM_BYTES && bytes > wireBytes * MAX_RATIO
      if (bytes > maxBytes || isTrap) throw new BodyTooLarge('too many bytes unpacked')
      yield chunk
    }
  } catch (error) {
    const isOfZlib =
      error instanceof Error && 'code' in error && /^(Z_|ERR__|ERR_BROTLI|ZSTD_)/.test(String(error.code))
    if (isOfZlib) throw new BodyNotDecodable('broken compression', { cause: error })
    throw error
  } finally {
    body.destroy()
  }
}
