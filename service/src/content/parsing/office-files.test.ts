import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseDocx } from './docx.ts'
import { parsePdf } from './pdf.ts'
import { renderBlocks } from './render-markdown.ts'

const TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`

/** A zip archive of deflated files. */
function zip(files: Record<string, string | Buffer>): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(content), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(content.length, 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), head, tail, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(18)
  const entries = Buffer.concat(directory)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, entries, Buffer.from('PK\u0005\u0006'), end])
}

function word(body: string) {
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
  return zip({ '[Content_Types].xml': TYPES, '_rels/.rels': RELATIONS, 'word/document.xml': document })
}

const paragraph = (text: string, style = '') =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

const docx = (bytes: Uint8Array) =>
  parseDocx({ mediaType: '', bytes, url: 'https://docs.example.com/files/plan.docx' })
const pdf = (bytes: Uint8Array) =>
  parsePdf({ mediaType: '', bytes, url: 'https://docs.example.com/files/plan.pdf' })

test('a Word document keeps headings, text and tables', async () => {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
  const row = (...texts: string[]) => `<w:tr>${texts.map(cell).join('')}</w:tr>`
  const table = `<w:tbl>${row('a', 'b')}${row('c', 'd')}</w:tbl>`
  const body =
    paragraph('The plan', 'Heading1') +
    paragraph('Steps', 'Heading2') +
    paragraph('Begin &lt;now&gt;.') +
    table
  const { document } = await docx(word(body))
  expect(document.title).toBe('The plan')
  expect(renderBlocks(document.blocks)).toBe(
    '## Steps\n\nBegin \\<now>.\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
  )
})

test('a Word document without a heading takes its title from the file name', async () => {
  expect((await docx(word(paragraph('Hello')))).document.title).toBe('plan')
})

test('a file that is not a Word document or is a decompression bomb is refused with a readable message', async () => {
  await expect(docx(new TextEncoder().encode('hello'))).rejects.toThrow('not a complete zip archive')
  await expect(docx(zip({ 'a.txt': 'x' }))).rejects.toThrow('not a Word document')
  const bomb = zip({ 'word/document.xml': Buffer.alloc(210 * 1024 * 1024) })
  expect(bomb.length).toBeLessThan(1_000_000)
  await expect(docx(bomb)).rejects.toThrow('unpacks to more than 100 MB')
})

/** A PDF with one page for each list of lines; a line is its font size and its text. */
function makePdf(pages: [size: number, text: string][][]): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const kids: string[] = []
  for (const lines of pages) {
    let y = 800
    const stream = lines.map(([size, text]) => {
      y -= size * 1.4
      return `BT /F1 ${size} Tf 50 ${y} Td (${text}) Tj ET`
    })
    const content = stream.join('\n')
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    kids.push(`${objects.length + 1} 0 R`)
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Contents ${objects.length} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    )
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, place) => {
    const offset = text.length
    text += `${place + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`
  return new TextEncoder().encode(text)
}

const LONG = 'A line of text that is long enough to reach the right side of the page'

test('a PDF keeps its headings, joins its lines, and has an anchor for each page', async () => {
  const { document } = await pdf(
    makePdf([
      [
        [24, 'The plan'],
        [10, `${LONG} and is con-`],
        [10, 'tinued here.'],
        [9, 'Acme 1'],
      ],
      [
        [16, 'Steps'],
        [10, `${LONG}.`],
        [9, 'Acme 2'],
      ],
      [
        [10, `${LONG}.`],
        [9, 'Acme 3'],
      ],
    ]),
  )
  expect(document.title).toBe('The plan')
  expect(document.blocks).toEqual([
    { kind: 'anchor', anchor: 'page=1' },
    { kind: 'paragraph', markdown: `${LONG} and is continued here.` },
    { kind: 'anchor', anchor: 'page=2' },
    { kind: 'heading', depth: 2, text: 'Steps', anchor: 'page=2' },
    { kind: 'paragraph', markdown: `${LONG}.` },
    { kind: 'anchor', anchor: 'page=3' },
    { kind: 'paragraph', markdown: `${LONG}.` },
  ])
})

test('a PDF whose pages are partly scans tells so; one with a few empty pages does not', async () => {
  const written: [number, string][] = [[10, `${LONG}.`]]
  const empty = Array.from({ length: 3 }, (): [number, string][] => [])
  const { document } = await pdf(makePdf([written, ...empty]))
  expect(document.leftOut).toEqual(['Pages of a PDF that have no text, such as scans, are left out.'])
  const book = Array.from({ length: 40 }, (_, at): [number, string][] => [
    [10, `${String.fromCodePoint(97 + (at % 26)).repeat(at + 3)} ${LONG}.`],
  ])
  expect((await pdf(makePdf([...book, ...empty]))).document.leftOut).toBeUndefined()
})

test('a PDF that is broken or contains only images is refused with a readable message', async () => {
  await expect(pdf(new TextEncoder().encode('%PDF-1.4 nothing'))).rejects.toThrow(
    'not a PDF, or it is broken',
  )
  await expect(pdf(makePdf([[]]))).rejects.toThrow('contains no text')
})
