import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

/** Vectors by the SHA-256 (hexadecimal) of their text; one text may have several. */
export interface VectorFile {
  has(hash: string): boolean
  /** @throws Error if it is missing. */
  read(hash: string): Float32Array[]
  add(hash: string, vectors: readonly Float32Array[]): void
  close(): void
}

/** A record is the hash, the number of vectors, and their 32-bit floats. */
const HASH_BYTES = 32
const HEAD_BYTES = HASH_BYTES + 4
const FLOAT_BYTES = 4

/**
 * An append-only file of records. Their positions are read at the start, the vectors on request. An incomplete record at the end, from a
 * run that was killed, is truncated.
 */
export function openVectorFile(path: string, dimensions: number): VectorFile {
  const file = openSync(path, 'a+')
  const places = new Map<string, { at: number; count: number }>()
  const bytesOf = (count: number) => count * dimensions * FLOAT_BYTES
  const size = fstatSync(file).size
  const head = Buffer.alloc(HEAD_BYTES)
  let end = 0
  while (end + HEAD_BYTES <= size) {
    readSync(file, head, 0, HEAD_BYTES, end)
    const count = head.readUInt32LE(HASH_BYTES)
    const next = end + HEAD_BYTES + bytesOf(count)
    if (next > size) break
    places.set(head.toString('hex', 0, HASH_BYTES), { at: end + HEAD_BYTES, count })
    end = next
  }
  if (end < size) ftruncateSync(file, end)

  return {
    has: (hash) => places.has(hash),
    read: (hash) => {
      const place = places.get(hash)
      if (place === undefined) throw new Error('A passage was left without a vector.')
      const floats = new Float32Array(place.count * dimensions)
      readSync(file, Buffer.from(floats.buffer), 0, floats.byteLength, place.at)
      return Array.from({ length: place.count }, (_, index) =>
        floats.slice(index * dimensions, (index + 1) * dimensions),
      )
    },
    add: (hash, vectors) => {
      const start = Buffer.alloc(HEAD_BYTES)
      start.write(hash, 'hex')
      start.writeUInt32LE(vectors.length, HASH_BYTES)
      const floats = vectors.map(({ buffer, byteOffset, byteLength }) =>
        Buffer.from(buffer, byteOffset, byteLength),
      )
      end += writeSync(file, Buffer.concat([start, ...floats]))
      places.set(hash, { at: end - bytesOf(vectors.length), count: vectors.length })
    },
    close: () => closeSync(file),
  }
}
