import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText, type Block, type ParsedDocument } from '../parsing/parsing.ts'
import { chunkDocument, passageParts } from './chunking.ts'

/** Counts words and punctuation marks as tokens: close enough to a model's count. */
const countTokens = (text: string) => text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0

const chunk = (blocks: Block[], maxTokens = 64, title = 'Guide') =>
  chunkDocument({ title, language: 'en', blocks }, { countTokens, maxTokens })

const heading = (depth: number, text: string, anchor?: string): Block => ({
  kind: 'heading',
  depth,
  text,
  anchor,
})
const paragraph = (markdown: string): Block => ({ kind: 'paragraph', markdown })
const words = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, place) => `${word}${place}`).join(' ')

test('chunks follow the headings and carry the heading path and the nearest anchor', () => {
  const chunks = chunk([
    paragraph(words(40, 'intro')),
    heading(2, 'Set up', 'set-up'),
    paragraph(words(40, 'a')),
    heading(3, 'On `Linux`', undefined),
    paragraph(words(40, 'b')),
    heading(2, 'Run', 'run'),
    paragraph(words(40, 'c')),
  ])
  expect(chunks.map(({ ordinal, headingPath, anchor }) => ({ ordinal, headingPath, anchor }))).toEqual([
    { ordinal: 0, headingPath: [], anchor: undefined },
    { ordinal: 1, headingPath: ['Set up'], anchor: 'set-up' },
    { ordinal: 2, headingPath: ['Set up', 'On Linux'], anchor: 'set-up' },
    { ordinal: 3, headingPath: ['Run'], anchor: 'run' },
  ])
})

test('text after an entry belongs to the surrounding section again', () => {
  const entry: Block = {
    kind: 'entry',
    term: '`open(path)`',
    anchor: 'os.open',
    blocks: [paragraph(words(40, 'a'))],
  }
  const chunks = chunk([
    heading(2, 'Files', 'files'),
    paragraph(words(40, 'x')),
    entry,
    paragraph(words(40, 'y')),
  ])
  expect(chunks.map(({ headingPath, anchor }) => [...headingPath, anchor])).toEqual([
    ['Files', 'files'],
    ['Files', 'open(path)', 'os.open'],
    // The nearest anchor above it, which is closer than the heading of its section.
    ['Files', 'os.open'],
  ])
})

test('tiny sections under one parent are merged, each under its heading; others stay separate', () => {
  const [first, ...others] = chunk([
    heading(2, 'Options', 'options'),
    heading(3, 'Port', 'port'),
    paragraph('The port.'),
    heading(3, 'Host', 'host'),
    paragraph('The host.'),
    heading(2, 'Else', 'else'),
    paragraph(words(40)),
  ])
  expect(first).toEqual({
    ordinal: 0,
    headingPath: ['Options'],
    anchor: 'port',
    text: '**Port**\n\nThe port.\n\n**Host**\n\nThe host.',
    places: [
      { at: 0, anchor: 'port', headings: ['Port'] },
      { at: 21, anchor: 'host', headings: ['Host'] },
    ],
  })
  expect(others.map(({ headingPath }) => headingPath)).toEqual([['Else']])
})

test('a split table repeats its header, and no row is split', () => {
  const rows = Array.from({ length: 30 }, (_, row) => [`name${row}`, words(4, `r${row}x`)])
  const chunks = chunk([{ kind: 'table', header: ['Name', 'Text'], rows }])
  expect(chunks.length).toBeGreaterThan(3)
  for (const { text } of chunks) expect(text.startsWith('| Name | Text |\n| --- | --- |\n| name')).toBe(true)
  const lines = chunks.flatMap(({ text }) => text.split('\n').slice(2))
  expect(lines).toEqual(rows.map(([name, text]) => `| ${name} | ${text} |`))
})

test('code stays together with its introduction, and repeats its fences if it has to be split', () => {
  const short: Block = { kind: 'code', language: 'ts', code: 'const a = 1\nconst b = 2' }
  const chunks = chunk([paragraph(words(52)), paragraph('For example:'), short], 64)
  expect(chunks.map(({ text }) => text)).toEqual([
    words(52),
    'For example:\n\n```ts\nconst a = 1\nconst b = 2\n```',
  ])

  const code = Array.from({ length: 60 }, (_, line) => `  line${line} = ${line}`).join('\n')
  const pieces = chunk([{ kind: 'code', language: 'py', code }])
  expect(pieces.length).toBeGreaterThan(2)
  for (const { text } of pieces) expect(text).toMatch(/^```py\n[\s\S]+\n```$/)
  expect(pieces.map(({ text }) => text.slice('```py\n'.length, -'\n```'.length)).join('\n')).toBe(code)
})

test('a long paragraph is split between sentences, never within a link or code', () => {
  const sentence = (place: number) =>
    `Sentence ${place} has [a link. With a stop](https://x.example/${place}) and \`code. too\`.`
  const text = Array.from({ length: 12 }, (_, place) => sentence(place)).join(' ')
  const chunks = chunk([paragraph(text)])
  expect(chunks.length).toBeGreaterThan(2)
  for (const { text } of chunks) expect(text).toMatch(/^Sentence [\s\S]*`\.$/)
  expect(chunks.map(({ text }) => text).join(' ')).toBe(text)
})

test('code within a long list item is not split', () => {
  const item = `${words(50)}\n\n\`\`\`sh\nnpm i\nnpm test\n\`\`\`\n\n${words(30, 'after')}`
  const chunks = chunk([{ kind: 'list', isOrdered: true, items: ['short', item, 'last'] }])
  expect(chunks.some(({ text }) => text.includes('```sh\nnpm i\nnpm test\n```'))).toBe(true)
  expect(chunks.at(0)?.text).toContain('1. short')
  expect(chunks.at(-1)?.text).toContain('3. last')
})

test('nested lines of a long list item do not become code blocks', () => {
  const item = `${words(50)}\n- ${words(20, 'a')}\n  - [deep](https://x.example/y) ${words(30, 'b')}\n    - ${words(30, 'c')}`
  const texts = chunk([{ kind: 'list', isOrdered: false, items: [item] }], 64).map(({ text }) => text)
  expect(texts.length).toBeGreaterThan(1)
  // Four leading spaces would turn the passage into a code block.
  for (const text of texts) expect(text).not.toMatch(/^\s/)
})

test('an anchor within the text is where citations of the text after it open', () => {
  const chunks = chunk([
    { kind: 'anchor', anchor: 'page=1' },
    paragraph(words(50, 'a')),
    { kind: 'anchor', anchor: 'page=2' },
    paragraph(words(50, 'b')),
    paragraph(words(50, 'c')),
  ])
  expect(chunks.map(({ anchor }) => anchor)).toEqual(['page=1', 'page=2', 'page=2'])
})

test('a document always has a chunk, and a heading without text is not lost', () => {
  expect(chunk([])).toEqual([{ ordinal: 0, headingPath: [], anchor: undefined, text: 'Guide', places: [] }])
  expect(chunk([heading(2, 'Alone', 'alone')])).toEqual([
    { ordinal: 0, headingPath: [], anchor: 'alone', text: '**Alone**', places: [] },
  ])
})

/** Paragraphs with one unique word each, under headings and in entries with and without anchors. */
const marked = fc.array(
  fc.record({
    kind: fc.constantFrom('heading', 'entry', 'page', 'paragraph', 'paragraph'),
    depth: fc.integer({ min: 2, max: 4 }),
    isNamed: fc.boolean(),
    length: fc.constantFrom(1, 1, 5, 30),
  }),
  { maxLength: 24 },
)

test('every word opens at the nearest heading, entry or page above it that has an anchor', () => {
  fc.assert(
    fc.property(marked, (shape) => {
      const blocks: Block[] = []
      const expected: [string, string | undefined][] = []
      let above: string | undefined
      for (const [place, { kind, depth, isNamed, length }] of shape.entries()) {
        const anchor = isNamed ? `at${place}` : undefined
        const text = paragraph(`said${place} ${words(length, `w${place}x`)}`)
        if (kind !== 'paragraph') above = kind === 'page' ? `page=${place}` : (anchor ?? above)
        if (kind === 'heading') blocks.push(heading(depth, `Heading ${place}`, anchor))
        else if (kind === 'page') blocks.push({ kind: 'anchor', anchor: `page=${place}` })
        if (kind === 'entry') blocks.push({ kind: 'entry', term: `term${place}`, anchor, blocks: [text] })
        else blocks.push(text)
        expected.push([`said${place}`, above])
      }
      const chunks = chunk(blocks, 64)
      for (const [word, anchor] of expected) {
        const found = chunks.find(({ text }) => new RegExp(String.raw`\b${word}\b`).test(text))
        const at = found?.text.search(new RegExp(String.raw`\b${word}\b`)) ?? -1
        const place = found?.places.findLast((each) => each.at <= at)
        expect([word, place === undefined ? found?.anchor : place.anchor]).toEqual([word, anchor])
      }
    }),
    { numRuns: 300 },
  )
})

test('a place with headings of its own begins with one of them', () => {
  fc.assert(
    fc.property(marked, (shape) => {
      const blocks = shape.flatMap(({ kind, depth }, place): Block[] =>
        kind === 'heading'
          ? [heading(depth, `Heading${place}`), paragraph(`text${place}`)]
          : [{ kind: 'entry', term: `term${place}`, anchor: undefined, blocks: [paragraph('short')] }],
      )
      for (const { text, places } of chunk(blocks, 64)) {
        for (const { at, headings } of places) {
          expect(at === 0 || text.slice(at - 2, at) === '\n\n').toBe(true)
          // The empty alternative matches a place without headings.
          const begins = headings.map((title) => String.raw`\*\*${title}\*\*`).join('|')
          expect(text.slice(at)).toMatch(new RegExp(`^(?:${begins})`))
        }
      }
    }),
  )
})

const text = fc.array(
  fc.constantFrom(
    'alpha',
    'beta.',
    'gamma',
    '`a.b`',
    '**bold**',
    '[see](https://x.example/y)',
    'Ωμέγα',
    '東京。',
  ),
  {
    minLength: 1,
    maxLength: 60,
  },
)
const line = text.map((parts) => parts.join(' '))
const leaf: fc.Arbitrary<Block> = fc.oneof(
  line.map((markdown): Block => ({ kind: 'paragraph', markdown })),
  fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean())
    .map(([items, isOrdered]): Block => ({ kind: 'list', items, isOrdered })),
  fc
    .array(fc.tuple(line, line), { minLength: 1, maxLength: 12 })
    .map((rows): Block => ({ kind: 'table', header: ['H', 'K'], rows })),
  fc
    .array(line, { minLength: 1, maxLength: 40 })
    .map((lines): Block => ({ kind: 'code', language: 'x', code: lines.join('\n') })),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('One', 'Two', 'Three'), fc.boolean())
    .map(([depth, title, isNamed]): Block =>
      heading(depth, title, isNamed ? `${title}-${depth}` : undefined),
    ),
)
const block: fc.Arbitrary<Block> = fc.oneof(
  { weight: 6, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.array(leaf, { maxLength: 4 }), fc.boolean()).map(([blocks, isNamed]): Block => ({
      kind: 'entry',
      term: '`call()`',
      anchor: isNamed ? 'call' : undefined,
      blocks,
    })),
  },
)
const document = fc
  .array(block, { maxLength: 14 })
  .map((blocks): ParsedDocument => ({ title: 'Title', language: 'en', blocks }))

/** Words of all text except headings and terms, which are in paths. */
function wordsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((each): string[] => {
    switch (each.kind) {
      case 'paragraph':
        return plainText(each.markdown).split(/\s+/)
      case 'list':
        return each.items.flatMap((item) => plainText(item).split(/\s+/))
      case 'table':
        return each.rows.flat().flatMap((cell) => plainText(cell).split(/\s+/))
      case 'code':
        return each.code.split(/\s+/)
      case 'entry':
        return wordsOf(each.blocks)
      case 'heading':
      case 'anchor':
        return []
    }
  })
}

const IN_PATHS = /^(?:One|Two|Three|call\(\)|Title|\||H|K|-|\d+\.|```x?)$/

test('the chunks contain all of the text, once and in order', () => {
  fc.assert(
    fc.property(document, (each) => {
      const chunks = chunkDocument(each, { countTokens, maxTokens: 48 })
      const got = chunks
        .flatMap(({ text }) => plainText(text).split(/\s+/))
        .filter((word) => word !== '' && !IN_PATHS.test(word))
      expect(got).toEqual(wordsOf(each.blocks).filter((word) => word !== ''))
    }),
  )
})

test('no chunk exceeds the token limit, except for a single row or line that exceeds it alone', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 32, max: 256 }), (each, maxTokens) => {
      for (const made of chunkDocument(each, { countTokens, maxTokens })) {
        const isLong = countTokens(passageParts(each.title, made, 'en').join('\n')) > maxTokens
        const lines = made.text.split('\n')
        const isAlone =
          (lines[0]?.startsWith('```') && lines.length === 3) ||
          (lines[0]?.startsWith('|') && lines.length === 3)
        expect(isLong && !isAlone).toBe(false)
      }
    }),
  )
})

test('every line of code and every table row is in one chunk, unchanged', () => {
  fc.assert(
    fc.property(document, (each) => {
      const lines = new Set(
        chunkDocument(each, { countTokens, maxTokens: 40 }).flatMap(({ text }) => text.split('\n')),
      )
      for (const { code } of each.blocks.filter((one) => one.kind === 'code')) {
        for (const codeLine of code.split('\n')) expect(lines).toContain(codeLine)
      }
      for (const { rows } of each.blocks.filter((one) => one.kind === 'table')) {
        for (const row of rows) expect(lines).toContain(`| ${row.join(' | ')} |`)
      }
    }),
  )
})

test('each heading path is the chain of headings above the passage', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()), { maxLength: 12 }),
      (shape) => {
        const blocks: Block[] = []
        const expected: [string, string[]][] = []
        let above: { depth: number; title: string }[] = []
        for (const [place, [depth, hasText]] of shape.entries()) {
          const title = `Heading ${place}`
          above = [...above.filter((each) => each.depth < depth), { depth, title }]
          blocks.push(heading(depth, title, `h${place}`))
          if (!hasText) continue
          // Long enough to get a chunk to itself.
          blocks.push(paragraph(`text${place} ${words(30)}`))
          expected.push([`text${place}`, above.map((each) => each.title)])
        }
        const chunks = chunk(blocks, 48, 'T')
        for (const [first, path] of expected) {
          const found = chunks.find(({ text }) => new RegExp(String.raw`\b${first}\b`).test(text))
          expect(found?.headingPath).toEqual(path)
          expect(found?.anchor).toBe(`h${first.slice('text'.length)}`)
        }
      },
    ),
  )
})

test('a paragraph that is divided among passages keeps what stands between its sentences, and its words whole', () => {
  const german = 'Das Netz HEAD..HEAD r1^! ist z.B. Teil der Reihe.  Es hat „Ja! Nein.“ gesagt. '
  for (const sentence of [german, '今日は晴れです。明日は雨でしょう。', '水'.repeat(2_000)]) {
    const markdown = sentence.repeat(60).trim()
    const chunks = chunkDocument(
      { title: 'T', language: 'de', blocks: [{ kind: 'paragraph', markdown }] },
      { countTokens: (text) => Math.ceil(text.length / 4), maxTokens: 200 },
    )
    expect(chunks.length).toBeGreaterThan(1)
    let rest = markdown
    for (const { text } of chunks) {
      expect(rest.startsWith(text)).toBe(true)
      rest = rest.slice(text.length).trimStart()
    }
    expect(rest).toBe('')
  }
})
