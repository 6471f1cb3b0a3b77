import { constants, inflateRawSync } from 'node:zlib'
import { ParseFailure } from './parse-failure.ts'

const MAX_ENTRIES = 5_000
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const DEFLATED = 8

/**
 * Unpacks a zip archive once, keeping nothing, to know that it is safe to unpack: sizes that an archive states of itself
 * may be lies.
 * @throws ParseFailure when it is no zip archive, holds more than 5,000 files, or unpacks to more than 200 MB.
 */
export function checkZip(bytes: Uint8Array): void {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) throw new ParseFailure(`The file holds more than ${MAX_ENTRIES} parts.`)
  let unpacked = 0
  let at = zip.readUInt32LE(end + 16)
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new ParseFailure(BROKEN)
    unpacked += unpackedSize(zip, at, MAX_UNPACKED_BYTES - unpacked)
    if (unpacked > MAX_UNPACKED_BYTES) throw new ParseFailure('The file unpacks to more than 200 MB.')
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

const BROKEN = 'The file is broken: it is not a complete zip archive.'

function findEnd(zip: Buffer): number {
  // A comment of up to 64 KB may follow.
  for (let at = zip.length - 22; at >= 0 && at > zip.length - 66_000; at -= 1) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at
  }
  throw new ParseFailure(BROKEN)
}

function unpackedSize(zip: Buffer, entry: number, roomLeft: number): number {
  const packedSize = zip.readUInt32LE(entry + 20)
  const local = zip.readUInt32LE(entry + 42)
  if (local + 30 > zip.length) throw new ParseFailure(BROKEN)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (zip.readUInt16LE(entry + 10) !== DEFLATED) return packedSize
  const packed = zip.subarray(start, start + packedSize)
  try {
    return inflateRawSync(packed, { maxOutputLength: roomLeft + 1, finishFlush: constants.Z_SYNC_FLUSH })
      .length
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new ParseFailure(isTooLarge ? 'The file unpacks to more than 200 MB.' : BROKEN, { cause: error })
  }
}
