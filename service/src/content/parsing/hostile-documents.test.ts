import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  asHex,
  packedSpaces,
  packedText,
  pdfOf,
  wordParts,
  zipOf,
  zippedSpaces,
} from '../../../test/hostile-files.ts'
import { spreadsheet, textCell } from '../../../test/spreadsheet.ts'
import { watchProcesses } from '../../../test/watch-process.ts'
import { createParsing, type Parsing } from './parsing.ts'

const LIMIT_MB = 400
/** What unpacks reaches it sooner. `npm run fuzz:content` sends such files to a service with the limit that ships. */
const SMALL_LIMIT_MB = 200
/** How much a process may grow between two checks of its watchdog, on a busy machine. */
const MARGIN_MB = 200

let parsing: Parsing
beforeAll(() => {
  parsing = createParsing({ workers: 1, timeLimitMs: 60_000, memoryLimitMb: LIMIT_MB })
})
afterAll(() => parsing.close())

const PDF = 'application/pdf'
const SHEETS = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

async function failureOf(mediaType: string, bytes: Uint8Array, by = parsing): Promise<string> {
  const url = 'https://docs.example.com/files/valves'
  return await by.parse({ mediaType, bytes, url }).then(
    ({ textLength }) => `${textLength} characters were read`,
    (error: Error) => error.message,
  )
}

const operationsFailure = async (text: string) =>
  await parsing
    .parseOpenApi({ mediaType: 'application/yaml', bytes: Buffer.from(text), url: 'https://a.example/api' })
    .then(
      (pages) => `${pages.length} pages were read`,
      (error: Error) => error.message,
    )

const sitemap = async (bytes: Uint8Array) =>
  await parsing
    .parseSitemap({ mediaType: 'application/xml', bytes, url: 'https://a.example/sitemap.xml' }, 50_000)
    .then(
      ({ pages }) => pages.length,
      (error: Error) => error.message,
    )

test('a PDF that unpacks to hundreds of megabytes fails alone, within the memory limit of a parser', async () => {
  await using small = createParsing({ workers: 1, timeLimitMs: 60_000, memoryLimitMb: SMALL_LIMIT_MB })
  const packed = packedSpaces(700)
  const chain = pdfOf(deflateSync(asHex(packed)), '[/F#6cateDecode /AHx /Fl]')
  expect(chain.length).toBeLessThan(30_000)
  const watch = watchProcesses(small.processIds)
  for (const bomb of [pdfOf(packed, '/FlateDecode'), chain]) {
    expect(await failureOf(PDF, bomb, small)).toBe(
      'This PDF needs more than 200 MB of memory to be read. Split it, or save it again.',
    )
  }
  const { parserMegabytes, ownGrowthMegabytes } = watch.stop()
  expect(parserMegabytes).toBeLessThan(SMALL_LIMIT_MB + MARGIN_MB)
  expect(ownGrowthMegabytes).toBeLessThan(150)
  expect(await failureOf(PDF, pdfOf(packedText(), '/FlateDecode'), small)).toBe('23 characters were read')
}, 120_000)

test('a spreadsheet fails alone that is small in its file, and large as a table', async () => {
  const cells = (row: number) =>
    Array.from({ length: 26 }, (_, at) => `<c r="${String.fromCodePoint(65 + at)}${row}" t="s"><v>0</v></c>`)
  const rows = Array.from({ length: 300 }, (_, at) => `<row r="${at + 1}">${cells(at + 1).join('')}</row>`)
  const texts = spreadsheet({ Shared: rows.join('') }, ['x'.repeat(4_000)])
  expect(texts.length).toBeLessThan(200_000)
  expect(await failureOf(SHEETS, texts)).toBe(
    'A sheet contains more than 20 million characters, the limit for one document. Split it.',
  )
  // A cell far away (`far-cell.xlsx`) takes 15 s to reach the limit of memory: `npm run fuzz:content` sends it.
  const laughs = spreadsheet({ Laughs: `<row r="1">${textCell('A1', '&a30;')}</row>` })
  expect(await failureOf(SHEETS, laughs)).toMatch(/^\d+ characters were read|^The file is not a spreadsheet/)
  const few = spreadsheet({ Valves: `<row r="1">${textCell('A1', 'Valve')}${textCell('B1', 'Size')}</row>` })
  expect(await failureOf(SHEETS, few)).toBe('9 characters were read')
}, 120_000)

test('a Word document that declares wrong sizes is not unpacked', async () => {
  const watch = watchProcesses(parsing.processIds)
  const padded = wordParts(300)
  const declaring = (size: number) => [
    ...wordParts(),
    ...padded.slice(2, 3).map((part) => ({ ...part, declaredSize: size })),
  ]
  expect(await failureOf(WORD, zipOf(padded))).toBe('The file unpacks to more than 100 MB.')
  expect(await failureOf(WORD, zipOf(padded, { count: 1 }))).toContain('not a complete zip archive')
  expect(await failureOf(WORD, zipOf(padded, { count: 0 }))).toContain('not a complete zip archive')
  expect(await failureOf(WORD, zipOf(declaring(0xffffffff)))).toContain('not a complete zip archive')
  expect(await failureOf(WORD, zipOf(padded, { count: 0xffff }))).toContain('not a complete zip archive')
  expect(await failureOf(WORD, zipOf(declaring(1_000)))).toContain('do not match its directory')
  expect(await failureOf(WORD, zipOf(wordParts(), { behind: Buffer.alloc(46) }))).toContain('broken')
  const twice = zipOf(wordParts())
  expect(await failureOf(WORD, Buffer.concat([twice, zipOf(padded)]))).toContain('broken')
  expect(await failureOf(WORD, zipOf(wordParts()))).toBe('24 characters were read')
  const { parserMegabytes } = watch.stop()
  expect(parserMegabytes).toBeLessThan(LIMIT_MB)
}, 60_000)

test('AsciiDoc that grows a thousandfold, or is nested without end, fails with a readable message', async () => {
  await using small = createParsing({ workers: 1, timeLimitMs: 60_000, memoryLimitMb: SMALL_LIMIT_MB })
  const growing = Buffer.from(`:a: ${'x'.repeat(4_000)}\n\n${'{a}'.repeat(100_000)}`)
  expect(await failureOf('text/asciidoc', growing, small)).toContain('needs more than 200 MB of memory')
  const fences = Array.from({ length: 2_000 }, (_, at) => '='.repeat(at + 4))
  expect(await failureOf('text/asciidoc', Buffer.from(fences.join('\n')), small)).toContain(
    'nested too deeply',
  )
  expect(await failureOf('text/asciidoc', Buffer.from('= A\n\nRead.'), small)).toBe('5 characters were read')
})

const MEGABYTE = 1_000_000
const filled = (piece: string) => piece.repeat(Math.floor(MEGABYTE / piece.length))
const DEPTH = 20_000
const urlset = (inner: string) => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}`

test.each([
  ['repeated opening tags', filled('<urlset ')],
  ['brackets', `<urlset>${filled('<')}`],
  ['unclosed entries', urlset(filled('<url><loc>https://a.example/'))],
  ['nested entries', urlset(filled('<url>'))],
  ['unclosed comments', urlset(filled('<!--'))],
  ['unclosed CDATA sections', urlset(filled('<![CDATA['))],
  ['closing tags only', urlset(filled('</url>'))],
  ['one long name', `<${'a'.repeat(MEGABYTE)}`],
  ['one long address', urlset(`<url><loc>https://a.example/${'a'.repeat(MEGABYTE)}</loc></url>`)],
  ['nested entities', `<!DOCTYPE x [${filled('<!ENTITY a "&a;&a;&a;">')}]>${urlset('')}`],
  ['numeric character references', urlset(`<url><loc>${filled('&#65;')}</loc></url>`)],
  ['spaces only', ' '.repeat(MEGABYTE)],
  ['endless lines', filled('\n')],
  ['one long line', `https://a.example/${'a'.repeat(MEGABYTE)}`],
])('a sitemap of %s is read quickly', async (_, text) => {
  const started = performance.now()
  const read = await sitemap(Buffer.from(text))
  expect(typeof read === 'string' || read <= 50_000).toBe(true)
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('the entries of a sitemap are limited in every format', async () => {
  const entry = '<url><loc>https://a.example/?a=1&amp;b=2</loc><lastmod>2026-01-02</lastmod></url>'
  const many = urlset(entry.repeat(60_000))
  expect(await sitemap(Buffer.from(many))).toBe(50_000)
  const various = Array.from({ length: 60_000 }, (_, place) => entry.replace('a=1', `a=${place * 7_919}`))
  expect(await sitemap(gzipSync(urlset(various.join(''))))).toBe(50_000)
  expect(await sitemap(Buffer.from('https://a.example/x\n'.repeat(60_000)))).toBe(50_000)
  const { pages } = await parsing.parseSitemap(
    {
      mediaType: 'text/xml',
      url: 'https://a.example/',
      bytes: Buffer.from(
        urlset(`<!-- <url> --><image:x><image:loc>no</image:loc></image:x>${entry}
        <s:url><s:loc> <![CDATA[https://a.example/c?x&y]]> </s:loc><image:image><image:loc>no</image:loc></image:image></s:url></urlset>`),
      ),
    },
    10,
  )
  expect(pages).toEqual([
    { loc: 'https://a.example/?a=1&b=2', lastmod: Date.UTC(2026, 0, 2) },
    { loc: 'https://a.example/c?x&y', lastmod: undefined },
  ])
})

test('a compressed sitemap with an extreme compression ratio is refused', async () => {
  const watch = watchProcesses(parsing.processIds)
  expect(await sitemap(zippedSpaces(600))).toContain('It unpacks to more than')
  expect(await sitemap(zippedSpaces(40))).toContain('It unpacks to more than')
  expect(await sitemap(gzipSync('').subarray(0, 12))).toContain('cannot be decompressed')
  expect(watch.stop().parserMegabytes).toBeLessThan(LIMIT_MB)
})

test('API descriptions that multiply, nest deeply or are circular fail with a readable message', async () => {
  const head = 'openapi: 3.0.0\n'
  const bomb = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
      : `a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`,
  )
  expect(await operationsFailure(`${head}${bomb.join('\n')}\npaths: {}`)).toContain('broken YAML')
  // Far deeper than the stack of a parser reaches.
  for (const sign of ['[', '- '])
    expect(await operationsFailure(head + sign.repeat(DEPTH))).toMatch(
      /broken YAML|nested too deep|longer|memory/,
    )
  const deep = '{"a":'.repeat(DEPTH)
  expect(await operationsFailure(`{"openapi":"3.0.0","paths":${deep}1${'}'.repeat(DEPTH + 1)}`)).toMatch(
    /no operations|nested too deep/,
  )
  const schema = {
    allOf: [{ $ref: '#/components/schemas/A' }],
    properties: { a: { $ref: '#/components/schemas/A' } },
  }
  const circle = {
    openapi: '3.0.0',
    paths: { '/a': { get: { parameters: [{ name: 'a', schema: { $ref: '#/components/schemas/A' } }] } } },
    components: { schemas: { A: schema } },
  }
  expect(await operationsFailure(JSON.stringify(circle))).toBe('2 pages were read')
}, 120_000)

test('the links of a page are limited', async () => {
  const links = Array.from({ length: 11_000 }, (_, place) => `<a href="/${place}">x</a>`).join('')
  const html = `<title>T</title><main>${links}`
  const { page } = await parsing.parse({
    mediaType: 'text/html',
    bytes: Buffer.from(html),
    url: 'https://docs.example.com/',
  })
  expect(page?.links).toHaveLength(10_000)
})

test('a document with too many blocks fails with a readable message', async () => {
  expect(await failureOf('text/plain', Buffer.from('a\n\n'.repeat(310_000)))).toMatch(
    /309999 paragraphs, items and cells; the limit is 300000/,
  )
})
