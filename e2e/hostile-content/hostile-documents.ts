import { deflateSync, gzipSync } from 'node:zlib'
import {
  asHex,
  packedSpaces,
  pdfOf,
  wordParts,
  zipOf,
  type ZipPart,
} from '../../service/test/hostile-files.ts'
import { PRESENTATIONS } from './hostile-presentations.ts'
import { SPREADSHEETS } from './hostile-spreadsheets.ts'

/** A file that is broken, endless, or made to attack its reader. */
export interface HostileDocument {
  /** With the ending that tells its format. */
  name: string
  bytes: Buffer
}

const MEGABYTE = 1_048_576
const filled = (piece: string, bytes = 2 * MEGABYTE) => piece.repeat(Math.ceil(bytes / piece.length))
const nested = (open: string, close: string, depth: number, inner = 'Valve.') =>
  open.repeat(depth) + inner + close.repeat(depth)
const numbered = (count: number, piece: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => piece(at)).join('')

/** Objects by number, with their table; `trailer` adds to it. */
function pdf(objects: readonly string[], trailer = '', table?: string): Buffer {
  let text = '%PDF-1.7\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const xref = table ?? `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  return Buffer.from(
    `${text}${xref}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF`,
    'latin1',
  )
}
const stream = (content: string, more = '') =>
  `<</Length ${content.length}${more}>>stream\n${content}\nendstream`
const PAGE =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>'
const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
const SHOWN = stream('BT /F1 12 Tf 50 700 Td (Valves open to the left) Tj ET')
const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'
const PAGES = '<</Type/Pages/Kids[3 0 R]/Count 1>>'

const PDFS: Record<string, () => Buffer> = {
  'tree-of-itself.pdf': () => pdf([CATALOG, '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>']),
  'parent-loop.pdf': () =>
    pdf([CATALOG, '<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
  'huge-table.pdf': () =>
    pdf([CATALOG, PAGES, PAGE, SHOWN, FONT], '', 'xref\n0 4294967295\n0000000000 65535 f \n'),
  'table-loop.pdf': () => pdf([CATALOG, PAGES, PAGE, SHOWN, FONT], '/Prev 9/XRefStm 9'),
  'script.pdf': () =>
    pdf([
      '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(while(true\\){})>>/AA<</WC<</S/Launch/F(/bin/sh)>>>>>>',
      PAGES,
      PAGE,
      SHOWN,
      FONT,
    ]),
  'form-of-itself.pdf': () =>
    pdf([
      CATALOG,
      PAGES,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>',
      stream('/X Do /X Do'),
      stream(
        '/X Do /X Do /X Do',
        '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>',
      ),
    ]),
  'length-of-itself.pdf': () =>
    pdf([CATALOG, PAGES, PAGE, '<</Length 4 0 R>>stream\nBT (Valve) Tj ET\nendstream', FONT]),
  'many-pages.pdf': () =>
    pdf([CATALOG, `<</Type/Pages/Kids[${'3 0 R '.repeat(100_000)}]/Count 100000>>`, PAGE, SHOWN, FONT]),
  'deep-arrays.pdf': () => pdf([CATALOG, PAGES, PAGE, stream(`${nested('[', ']', 500_000)} TJ`), FONT]),
  'bomb.pdf': () => pdfOf(packedSpaces(300), '/FlateDecode'),
  'bomb-in-bomb.pdf': () =>
    pdfOf(deflateSync(asHex(packedSpaces(300))), '[/FlateDecode/ASCIIHexDecode/FlateDecode]'),
  'cut.pdf': () => pdf([CATALOG, PAGES, PAGE, SHOWN, FONT]).subarray(0, 400),
  'locked.pdf': () =>
    pdf([CATALOG, PAGES, PAGE, SHOWN, FONT], '/Encrypt<</Filter/Standard/V 5/R 6/O()/U()/P -1>>/ID[()()]'),
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
function word(body: string, given: { head?: string; more?: ZipPart[]; without?: RegExp } = {}): Buffer {
  const document = `<?xml version="1.0"?>${given.head ?? ''}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`
  const parts = wordParts().map((part) =>
    part.name === 'word/document.xml' ? { ...part, content: Buffer.from(document) } : part,
  )
  return zipOf([...parts.filter(({ name }) => given.without?.test(name) !== true), ...(given.more ?? [])])
}
const laughs = (levels: number, kind: (at: number) => string) => numbered(levels, kind)
const xmlLaughs = `<!DOCTYPE x [<!ENTITY a0 "ha">${laughs(30, (at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`)}]>`

const WORDS: Record<string, () => Buffer> = {
  'bomb.docx': () => zipOf(wordParts(300)),
  'entity-of-file.docx': () =>
    word(paragraph('&xxe;'), { head: '<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>' }),
  'laughs.docx': () => word(paragraph('&a30;'), { head: xmlLaughs }),
  'no-document.docx': () => word('', { without: /document\.xml/ }),
  'no-types.docx': () => word(paragraph('Valve.'), { without: /Content_Types/ }),
  'deep-tables.docx': () =>
    word(nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20_000, paragraph('Valve.'))),
  'wide-table.docx': () =>
    word(`<w:tbl><w:tr>${`<w:tc>${paragraph('x')}</w:tc>`.repeat(60_000)}</w:tr></w:tbl>`),
  'outer-files.docx': () =>
    word(`${paragraph('Valve.')}<w:altChunk r:id="r9" xmlns:r="x"/>`, {
      more: [
        {
          name: 'word/_rels/document.xml.rels',
          content: Buffer.from(
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="file:///etc/passwd" TargetMode="External"/></Relationships>',
          ),
        },
        { name: '../../../../tmp/escaped.xml', content: Buffer.from('<x/>') },
      ],
    }),
  'cut.docx': () => word(filled(paragraph('Valve.'))).subarray(0, 2_000),
  'many-parts.docx': () =>
    zipOf([
      ...wordParts(),
      ...Array.from({ length: 20_000 }, (_, at) => ({ name: `x/${at}.xml`, content: Buffer.from('<x/>') })),
    ]),
}

/** Archives whose formats are not read: nothing of them may be opened. */
const ARCHIVES: Record<string, () => Buffer> = {
  'book.epub': () =>
    zipOf([{ name: 'OEBPS/a.xhtml', content: Buffer.from(nested('<div>', '</div>', 200_000)) }]),
  'page.html.gz': () => gzipSync(Buffer.alloc(200 * MEGABYTE, 0x20)),
}

const html = (body: string, head = '') =>
  Buffer.from(`<!doctype html><html><head><title>Valve</title>${head}</head><body>${body}</body></html>`)

const PAGES_OF_HTML: Record<string, () => Buffer> = {
  'deep.html': () => html(nested('<div>', '</div>', 200_000)),
  'deep-below-the-limit.html': () => html(nested('<div>', '</div>', 505)),
  'formatting-opened.html': () => html(filled('<p><b><i><a href=x>', MEGABYTE)),
  'tables-in-tables.html': () => html(nested('<table><tr><td>', '</td></tr></table>', 160)),
  'spans.html': () => html(`<table>${'<tr><td rowspan=50 colspan=50>x</tr>'.repeat(2_000)}</table>`),
  'attributes.html': () => html(`<p ${numbered(200_000, (at) => `a${at}=b `)}>Valve.</p>`),
  'classes.html': () => html(filled(`<p class="${'c '.repeat(5_000)}">Valve.</p>`, 4 * MEGABYTE)),
  'styles.html': () =>
    html(
      `<p style="${filled('display: ', MEGABYTE)}">Valve.</p><p style="display:${filled(' ', MEGABYTE)}x">a</p>`,
    ),
  'one-line.html': () => html(`<main><p>${filled('valve ', 10 * MEGABYTE)}</p></main>`),
  'links-only.html': () =>
    html(numbered(60_000, (at) => `<a href="/never/${at}">valve number ${at} of many</a> `)),
  'script.svg': () =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><foreignObject>${nested('<g>', '</g>', 5_000)}</foreignObject></svg>`,
    ),
  'svg-and-script.html': () =>
    html(
      '<main><p>Valve.</p><svg onload=alert(1)><script>alert(1)</script></svg><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a></main>',
    ),
  'templates.html': () => html(nested('<template>', '</template>', 500)),
  'entities.html': () => html(filled('&amp;&#x0;&#xD800;&notin;&', MEGABYTE)),
  'bases.html': () => html('<p><a href="a">a</a></p>', filled('<base href="//[">', MEGABYTE)),
  'wrong-charset.html': () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), html('<p>Valve.</p>'), Buffer.alloc(1_001, 0xd8)]),
  'nothing.html': () => Buffer.alloc(0),
  'zeros.html': () => Buffer.alloc(5 * MEGABYTE),
  'opted-out.html': () =>
    html(
      nested('<div data-citewell="ignore">', '</div>', 500) +
        filled('<p data-citewell="ignore">x</p>', MEGABYTE),
    ),
}

const MARKDOWN: Record<string, () => Buffer> = {
  'emphasis.md': () => Buffer.from(filled('*a **b _c ')),
  'links.md': () => Buffer.from(filled('[a](<b "c ![')),
  'brackets.md': () => Buffer.from(filled('[')),
  'tables.md': () =>
    Buffer.from(`|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n${`|${'b|'.repeat(5_000)}\n`.repeat(100)}`),
  'quotes.md': () => Buffer.from(filled('> ')),
  'lists.md': () => Buffer.from(numbered(1_000, (at) => `${'  '.repeat(at)}- a\n`)),
  'laughs.md': () =>
    Buffer.from(
      `---\na0: &a0 ha\n${laughs(30, (at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]\n`)}title: *a30\n---\n\nValve.`,
    ),
  'deep-front-matter.md': () => Buffer.from(`---\na: ${nested('[', ']', 200_000, '')}\n---\n\nValve.`),
  'braces.mdx': () => Buffer.from(`# Valve\n\n${filled('{', MEGABYTE)}`),
  'elements.mdx': () => Buffer.from(nested('<A>\n\n', '\n\n</A>', 5_000)),
  'html-deep.md': () => Buffer.from(nested('<div>', '</div>', 100_000)),
  'footnotes.md': () => Buffer.from(numbered(30_000, (at) => `[^${at}]: [^${at + 1}]\n\n`)),
}

const TEXTS: Record<string, () => Buffer> = {
  'deep.rst': () => Buffer.from(numbered(3_000, (at) => `${' '.repeat(at)}* a\n\n`)),
  'directives.rst': () => Buffer.from(numbered(1_500, (at) => `${'   '.repeat(at)}.. note::\n\n`)),
  'substitutions.rst': () =>
    Buffer.from(`.. |a| replace:: |b| |b|\n.. |b| replace:: |a| |a|\n\n${filled('|a| ', MEGABYTE)}`),
  'include-itself.rst': () =>
    Buffer.from(`Valve\n=====\n\n${'.. include:: include-itself.rst\n'.repeat(50)}`),
  'grid.rst': () =>
    Buffer.from(
      `${'+---'.repeat(3_000)}+\n${`${'| a '.repeat(3_000)}|\n${'+---'.repeat(3_000)}+\n`.repeat(50)}`,
    ),
  'cells.adoc': () => Buffer.from('|===\n100000000+|a\n|==='),
  'attributes.adoc': () => Buffer.from(`:a: ${'x'.repeat(4_000)}\n\n${'{a}'.repeat(100_000)}`),
  'deep.adoc': () => Buffer.from(numbered(2_000, (at) => `${'='.repeat(at + 4)}\n`)),
  'references.adoc': () => Buffer.from(filled('link:a[')),
  'include-itself.adoc': () => Buffer.from(`= Valve\n\n${'include::include-itself.adoc[]\n'.repeat(50)}`),
  'titles.rst': () => Buffer.from(filled('a\n=\n\nb\n-\n\nc\n~\n\n')),
  'book.adoc': () => Buffer.from(`= Valve\n\n${filled('include::book.adoc[]\n\n[[a]]*b*\n')}`),
  'one-row.csv': () => Buffer.from(filled('valve,', 10 * MEGABYTE)),
  'one-row.txt': () => Buffer.from(filled('valve,', 10 * MEGABYTE)),
  'lines.jsonl': () => Buffer.from(filled('{"a":"valve"}\n', 5 * MEGABYTE)),
  'lines.txt': () => Buffer.from(filled('{"a":"valve"}\n', 3 * MEGABYTE)),
  'deep.ipynb': () => Buffer.from(`{"cells":${nested('[', ']', 500_000, '')}}`),
  'cells.ipynb': () =>
    Buffer.from(
      JSON.stringify({
        cells: Array.from({ length: 60_000 }, () => ({ cell_type: 'markdown', source: '# a\n\nb' })),
      }),
    ),
  'outputs.ipynb': () =>
    Buffer.from(
      JSON.stringify({
        cells: [
          {
            cell_type: 'code',
            source: 'x',
            outputs: Array.from({ length: 300 }, () => ({
              data: { 'text/html': `<table>${'<tr><td>x'.repeat(4_000)}` },
            })),
          },
        ],
      }),
    ),
}

const part = (at: number) => `--b${at}\r\nContent-Type: multipart/mixed; boundary="b${at + 1}"\r\n\r\n`
const mail = (body: string, head = '') =>
  `From: a@example.com\r\nTo: b@example.com\r\nSubject: Valve\r\nMessage-ID: <${body.length}.${head.length}@example.com>\r\nDate: Tue, 1 Jan 2019 00:00:00 +0000\r\nMIME-Version: 1.0\r\n${head}\r\n${body}`

const MAILS: Record<string, () => Buffer> = {
  'nested.eml': () =>
    Buffer.from(mail(numbered(5_000, part), 'Content-Type: multipart/mixed; boundary="b0"\r\n')),
  'headers.eml': () =>
    Buffer.from(
      mail(
        'Valve.',
        numbered(100_000, (at) => `X-H${at}: a\r\n`),
      ),
    ),
  'boundary.eml': () =>
    Buffer.from(mail(filled('--b\r\n'), 'Content-Type: multipart/mixed; boundary="b"\r\n')),
  'encoded-words.eml': () => Buffer.from(mail('Valve.', `X: ${filled('=?utf-8?Q?=?= ', MEGABYTE)}\r\n`)),
  'mails.mbox': () =>
    Buffer.from(
      numbered(
        2_000,
        (at) => `From a@example.com Tue Jan  1 00:00:00 2019\r\n${mail(`Valve ${'x'.repeat(at)}.`)}\r\n\r\n`,
      ),
    ),
}

const yaml = (rest: string) => Buffer.from(`openapi: 3.0.0\ninfo: {title: Valve}\n${rest}`)
const described = (schemas: object, schema: object) =>
  Buffer.from(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Valve' },
      paths: { '/valves': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
      components: { schemas },
    }),
  )
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Read by the sources of API descriptions. */
export const DESCRIPTIONS: Record<string, () => Buffer> = {
  'laughs.yaml': () =>
    yaml(
      `a0: &a0 [x]\n${laughs(30, (at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]\n`)}paths: {}\n`,
    ),
  'anchor-of-itself.yaml': () => yaml('paths: &p\n  /a:\n    get: {x-self: *p, description: Valve.}\n'),
  'circular.json': () =>
    described(
      {
        A: { allOf: [ref('B')], properties: { b: ref('B'), c: { items: ref('A') } } },
        B: { anyOf: [ref('A'), ref('B')], properties: { a: ref('A') } },
      },
      ref('A'),
    ),
  'reference-loop.json': () => described({ A: ref('B'), B: ref('A') }, ref('A')),
  'many-properties.json': () =>
    described(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, at) => [
          `S${at}`,
          {
            properties: Object.fromEntries(
              Array.from({ length: 200 }, (_none, to) => [`p${to}`, ref(`S${to}`)]),
            ),
          },
        ]),
      ),
      ref('S0'),
    ),
  'many-choices.json': () =>
    described(
      { A: { oneOf: Array.from({ length: 20_000 }, (_, at) => ({ properties: { [`p${at}`]: {} } })) } },
      ref('A'),
    ),
  'deep.json': () => Buffer.from(`{"openapi":"3.0.0","paths":${nested('{"a":', '}', 300_000, '1')}}`),
  'prototype.json': () =>
    Buffer.from(
      '{"openapi":"3.0.0","__proto__":{"polluted":true},"paths":{"__proto__":{"get":{}},"constructor":{"get":{"description":"Valve."}}}}',
    ),
}

/** About eighty files, made when they are needed: together they take hundreds of megabytes. */
export const HOSTILE_DOCUMENTS: Record<string, () => Buffer> = {
  ...PDFS,
  ...WORDS,
  ...SPREADSHEETS,
  ...PRESENTATIONS,
  ...ARCHIVES,
  ...PAGES_OF_HTML,
  ...MARKDOWN,
  ...TEXTS,
  ...MAILS,
  ...DESCRIPTIONS,
}
