import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** A PDF of one page with the text `stream`, encoded by `filters` (in the PDF's own syntax). */
export function pdfOf(stream: Buffer, filters: string): Buffer {
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    ),
    Buffer.concat([
      Buffer.from(`<</Length ${stream.length}/Filter ${filters}>>stream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
  ]
  const parts = [Buffer.from('%PDF-1.4\n')]
  const places = objects.map((object, place) => {
    const at = parts.reduce((sum, part) => sum + part.length, 0)
    parts.push(Buffer.from(`${place + 1} 0 obj`), object, Buffer.from('endobj\n'))
    return at
  })
  const start = parts.reduce((sum, part) => sum + part.length, 0)
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}/Root 1 0 R>>startxref ${start} %%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

const MEBIBYTE = 1_048_576
const SPACE = 0x20

/** Compresses runs of one character as small as otherwise, in a quarter of the time, and so that more can follow. */
const compress = (bytes: Buffer) =>
  deflateRawSync(bytes, { strategy: constants.Z_RLE, finishFlush: constants.Z_FULL_FLUSH })

/** A megabyte is compressed once and repeated: hundreds would take seconds. */
const SPACES = Buffer.alloc(MEBIBYTE, SPACE)
const COMPRESSED_SPACES = compress(SPACES)
/** An empty block that is the last of its stream. */
const END = Buffer.from([3, 0])

/** Text and this many megabytes of spaces behind it, compressed. */
const deflateSpaces = (text: Buffer, megabytes: number): Buffer =>
  Buffer.concat([compress(text), ...Array.from({ length: megabytes }, () => COMPRESSED_SPACES), END])

function crcOf(text: Buffer, megabytes: number): number {
  let crc = crc32(text)
  for (let at = 0; at < megabytes; at += 1) crc = crc32(SPACES, crc)
  return crc
}

/** Of a text and so many spaces behind it: the sum of the bytes, and the sum of these sums, each from 1. */
function adlerOf(text: Buffer, spaces: bigint): Buffer {
  let sum = 1n
  let ofSums = 0n
  for (const byte of text) {
    sum += BigInt(byte)
    ofSums += sum
  }
  ofSums += spaces * sum + (BigInt(SPACE) * spaces * (spaces + 1n)) / 2n
  sum += BigInt(SPACE) * spaces
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16BE(Number(ofSums % 65_521n), 0)
  bytes.writeUInt16BE(Number(sum % 65_521n), 2)
  return bytes
}

const TEXT = 'BT /F1 12 Tf 50 700 Td (Valves open to the left) Tj ET '

/** Decompresses to a page's text and this many megabytes of spaces. */
export function packedSpaces(megabytes: number): Buffer {
  const text = Buffer.from(TEXT)
  const checksum = adlerOf(text, BigInt(megabytes) * BigInt(MEBIBYTE))
  return Buffer.concat([Buffer.from([0x78, 0x9c]), deflateSpaces(text, megabytes), checksum])
}

/** The same without a text, as a gzip file. */
export function zippedSpaces(megabytes: number): Buffer {
  const none = Buffer.alloc(0)
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crcOf(none, megabytes), 0)
  tail.writeUInt32LE(megabytes * MEBIBYTE, 4)
  return Buffer.concat([head, deflateSpaces(none, megabytes), tail])
}

export const packedText = () => deflateSync(Buffer.from(TEXT))

/** In the format of PDF's ASCIIHexDecode: makes a chain of two filters. */
export const asHex = (bytes: Buffer) => Buffer.from(`${bytes.toString('hex')}>`)

export interface ZipPart {
  name: string
  content: Buffer
  /** Megabytes of spaces behind the content. */
  spaces?: number
  /** The size that its header and the directory declare instead of the true one. */
  declaredSize?: number
}

/** A zip archive whose end record may declare a wrong number of parts. */
export function zipOf(parts: readonly ZipPart[], given: { count?: number; behind?: Buffer } = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, spaces = 0, declaredSize = content.length + spaces * MEBIBYTE } of parts) {
    const packed = deflateSpaces(content, spaces)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crcOf(content, spaces), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(declaredSize, 18)
    head.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    bodies.push(Buffer.from('PK\u0003\u0004', 'latin1'), head, Buffer.from(name), packed)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), head, tail, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(given.count ?? parts.length, 8)
  end.writeUInt16LE(given.count ?? parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, entries, given.behind ?? Buffer.alloc(0), end])
}

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'

/** The parts of a Word document of one paragraph, padded with this many megabytes without text. */
export function wordParts(paddedWithMegabytes = 0): ZipPart[] {
  const text =
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Valves open to the left.</w:t></w:r></w:p></w:body></w:document>'
  return [
    { name: '[Content_Types].xml', content: Buffer.from(CONTENT_TYPES) },
    { name: '_rels/.rels', content: Buffer.from(RELATIONS) },
    { name: 'word/document.xml', content: Buffer.from(text), spaces: paddedWithMegabytes },
  ]
}
