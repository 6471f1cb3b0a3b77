import { ParseFailure } from './parse-failure.ts'

/** One part of an archive, as declared by its directory; the bytes in `packed` belong to no other part. */
export interface ZipEntry {
  name: Buffer
  method: number
  packed: Buffer
  unpackedSize: number
}

const MAX_ENTRIES = 5_000

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const END_BYTES = 22
const MAX_COMMENT = 65_535

/** Placeholder meaning that the number is stored elsewhere (ZIP64): for archives over 4 GB, which no document is. */
const ZIP64_MARK_16 = 0xffff
const ZIP64_MARK_32 = 0xffffffff

const ENCRYPTED = 0x1

const BROKEN = 'The file is broken: it is not a complete zip archive.'

const broken = () => new ParseFailure(BROKEN)

/**
 * Reads and verifies the directory of an archive: its entries, one after the other, must match the count, length and position that the
 * end record declares; each must begin at its local header, and none may overlap another.
 * @throws ParseFailure
 */
export function readZipDirectory(zip: Buffer): ZipEntry[] {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  const size = zip.readUInt32LE(end + 12)
  const start = zip.readUInt32LE(end + 16)
  if (count === ZIP64_MARK_16 || size === ZIP64_MARK_32 || start === ZIP64_MARK_32) throw broken()
  if (count > MAX_ENTRIES) throw new ParseFailure(`The file contains more than ${MAX_ENTRIES} parts.`)
  // Multi-part archives, and directories that end elsewhere, are read differently by different programs.
  if (zip.readUInt16LE(end + 8) !== count || start + size !== end) throw broken()

  const entries: ZipEntry[] = []
  const spans: [from: number, to: number][] = []
  let at = start
  while (at < end) {
    if (at + 46 > end || zip.readUInt32LE(at) !== DIRECTORY_ENTRY || entries.length >= count) throw broken()
    const length = 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    if (at + length > end) throw broken()
    const { entry, span } = readEntry(zip, at, start)
    entries.push(entry)
    spans.push(span)
    at += length
  }
  if (entries.length !== count || overlap(spans)) throw broken()
  return entries
}

function findEnd(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT)
  for (let at = zip.length - END_BYTES; at >= first; at -= 1) {
    // Its comment extends to the end of the file, so that no other end record can follow it.
    if (
      zip.readUInt32LE(at) === END_OF_DIRECTORY &&
      at + END_BYTES + zip.readUInt16LE(at + 20) === zip.length
    )
      return at
  }
  throw broken()
}

function readEntry(zip: Buffer, at: number, directory: number): { entry: ZipEntry; span: [number, number] } {
  const packedSize = zip.readUInt32LE(at + 20)
  const unpackedSize = zip.readUInt32LE(at + 24)
  const local = zip.readUInt32LE(at + 42)
  if ([packedSize, unpackedSize, local].includes(ZIP64_MARK_32)) throw broken()
  if ((zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0)
    throw new ParseFailure('The file is locked with a password.')
  if (local + 30 > directory || zip.readUInt32LE(local) !== LOCAL_ENTRY) throw broken()
  const nameLength = zip.readUInt16LE(at + 28)
  const name = zip.subarray(at + 46, at + 46 + nameLength)
  const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (begin + packedSize > directory) throw broken()
  if (!zip.subarray(local + 30, local + 30 + zip.readUInt16LE(local + 26)).equals(name)) throw broken()
  const packed = zip.subarray(begin, begin + packedSize)
  return {
    entry: { name, method: zip.readUInt16LE(at + 10), packed, unpackedSize },
    span: [local, begin + packedSize],
  }
}

function overlap(spans: readonly [from: number, to: number][]): boolean {
  const inOrder = [...spans].sort(([one], [other]) => one - other)
  return inOrder.some(([from], index) => index > 0 && from < (inOrder[index - 1]?.[1] ?? 0))
}
