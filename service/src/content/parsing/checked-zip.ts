import { crc32, inflateRawSync } from 'node:zlib'
import { ParseFailure } from './parse-failure.ts'
import { readZipDirectory, type ZipEntry } from './zip-directory.ts'

/** Maximum unpacked size of the parts that are read. Images are not unpacked at all. */
const MAX_UNPACKED_BYTES = 100 * 1_048_576

const DEFLATED = 8
const STORED = 0

interface Part {
  name: Buffer
  content: Buffer
}

/**
 * Builds a new archive of the requested parts of an archive, unpacked and measured here. Its reader gets nothing unchecked, and no declared
 * size that was not verified.
 * @throws ParseFailure if the archive is broken, declares wrong sizes, or is too large
 */
export const checkedZip = (bytes: Uint8Array, isWanted: (name: string) => boolean): Buffer =>
  storedZip(unpackParts(bytes, isWanted))

/** The requested parts of an archive as text, by their names, with the same checks. */
export const checkedParts = (
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): ReadonlyMap<string, string> =>
  new Map(
    unpackParts(bytes, isWanted).map(({ name, content }) => [
      name.toString('utf8'),
      content.toString('utf8'),
    ]),
  )

function unpackParts(bytes: Uint8Array, isWanted: (name: string) => boolean): Part[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let room = MAX_UNPACKED_BYTES
  const parts: Part[] = []
  for (const entry of readZipDirectory(zip)) {
    if (!isWanted(entry.name.toString('latin1'))) continue
    const content = unpack(entry, room)
    room -= content.length
    parts.push({ name: entry.name, content })
  }
  return parts
}

const TOO_LARGE = `The file unpacks to more than ${MAX_UNPACKED_BYTES / 1_048_576} MB.`
const MISMATCH = 'The file is broken: its contents do not match its directory.'

function unpack({ method, packed, unpackedSize }: ZipEntry, room: number): Buffer {
  if (unpackedSize > room) throw new ParseFailure(TOO_LARGE)
  if (method === STORED && packed.length === unpackedSize) return packed
  if (method !== DEFLATED) throw new ParseFailure(MISMATCH)
  let content: Buffer
  try {
    // One byte more than declared, to detect a declared size that is too small.
    content = inflateRawSync(packed, { maxOutputLength: unpackedSize + 1 })
  } catch (error) {
    throw new ParseFailure(MISMATCH, { cause: error })
  }
  if (content.length !== unpackedSize) throw new ParseFailure(MISMATCH)
  return content
}

/** An archive whose parts are stored uncompressed. */
function storedZip(parts: readonly Part[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of parts) {
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt32LE(crc32(content), 10)
    head.writeUInt32LE(content.length, 14)
    head.writeUInt32LE(content.length, 18)
    head.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    pieces.push(Buffer.from('PK\u0003\u0004', 'latin1'), head, name, content)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), head, tail, name)
    offset += 30 + name.length + content.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, entries, end])
}
