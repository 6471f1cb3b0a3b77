import { constants, crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

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

/** Of runs of one character: as small as otherwise, in a quarter of the time. */
const RUNS = { strategy: constants.Z_RLE }

const TEXT = 'BT /F1 12 Tf 50 700 Td (Valves open to the left) Tj ET '

/** Decompresses to this many megabytes of a page's text, nearly all of it spaces. */
export function packedSpaces(megabytes: number): Buffer {
  const spaces = Buffer.alloc(megabytes * 1_048_576, 0x20)
  spaces.write(TEXT)
  return deflateSync(spaces, RUNS)
}

/** The same without a text, as a gzip file of so many bytes. */
export const zippedSpaces = (bytes: number) => gzipSync(Buffer.alloc(bytes, 0x20), RUNS)

export const packedText = () => deflateSync(Buffer.from(TEXT))

/** In the format of PDF's ASCIIHexDecode: makes a chain of two filters. */
export const asHex = (bytes: Buffer) => Buffer.from(`${bytes.toString('hex')}>`)

export interface ZipPart {
  name: string
  content: Buffer
  /** The size that its header and the directory declare instead of the true one. */
  declaredSize?: number
}

/** Of contents that are hundreds of megabytes, in several archives. */
const compressed = new WeakMap<Buffer, { packed: Buffer; checksum: number }>()

function compress(content: Buffer) {
  const known = compressed.get(content)
  if (known !== undefined) return known
  const made = { packed: deflateRawSync(content, RUNS), checksum: crc32(content) }
  compressed.set(content, made)
  return made
}

/** A zip archive whose end record may declare a wrong number of parts. */
export function zipOf(parts: readonly ZipPart[], given: { count?: number; behind?: Buffer } = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, declaredSize = content.length } of parts) {
    const { packed, checksum } = compress(content)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(checksum, 10)
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
  const padding = Buffer.alloc(paddedWithMegabytes * 1_048_576, 0x20)
  const start =
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Valves open to the left.</w:t></w:r></w:p>'
  return [
    { name: '[Content_Types].xml', content: Buffer.from(CONTENT_TYPES) },
    { name: '_rels/.rels', content: Buffer.from(RELATIONS) },
    {
      name: 'word/document.xml',
      content: Buffer.concat([Buffer.from(start), padding, Buffer.from('</w:body></w:document>')]),
    },
  ]
}
