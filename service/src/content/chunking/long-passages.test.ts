import { expect, test } from 'vitest'
import { HOSTILE_SHAPES } from '../../../test/hostile-shapes.ts'
import type { Block, ParsedDocument } from '../parsing/parsing.ts'
import { MAX_PASSAGE_LENGTH, MAX_PLACES } from '../reading/reading.ts'
import { chunkDocument } from './chunking.ts'

const document = (...blocks: Block[]): ParsedDocument => ({ title: 'Title', language: 'en', blocks })
const limits = { countTokens: (text: string) => Math.ceil(text.length / 4), maxTokens: 256 }

/** Several passages, and more than is read as Markdown. */
const SIZE = 26_000

/** Each kind of block with one text that is far too long. */
const blocksOf = (text: string): Record<string, Block[]> => ({
  paragraph: [{ kind: 'paragraph', markdown: text }],
  cell: [
    {
      kind: 'table',
      header: ['a', 'b'],
      rows: [
        ['x', text],
        ['y', 'z'],
      ],
    },
  ],
  header: [{ kind: 'table', header: [text, 'b'], rows: Array.from({ length: 30 }, () => ['x', 'y']) }],
  item: [{ kind: 'list', isOrdered: false, items: ['x', text] }],
  code: [{ kind: 'code', language: 'js', code: text }],
  'code language': [{ kind: 'code', language: text.replaceAll(/\s/g, ''), code: 'a\n'.repeat(2_000) }],
  heading: [
    { kind: 'heading', depth: 2, text, anchor: text },
    { kind: 'paragraph', markdown: 'Below.' },
    { kind: 'paragraph', markdown: 'And more.' },
  ],
  entry: [
    { kind: 'entry', term: text, anchor: text, blocks: [{ kind: 'paragraph', markdown: 'What it is.' }] },
  ],
  address: [
    {
      kind: 'paragraph',
      markdown: `See [this](https://example.com/${encodeURIComponent(text.toWellFormed())}) now.`,
    },
  ],
})

/** Each shape as a third of the kinds, among them one that is divided like a paragraph. With `HOSTILE_SHAPES=all` as all of them. */
const someBlocksOf = (at: number, text: string) =>
  Object.entries(blocksOf(text)).filter(
    (_kind, place) => process.env['HOSTILE_SHAPES'] === 'all' || Math.floor(place / 3) === at % 3,
  )

const SHAPES = Object.entries(HOSTILE_SHAPES).map(([name, shape], at) => [name, shape, at] as const)

test.each(SHAPES)('no passage exceeds the maximum length: %s', (name, shape, at) => {
  for (const [kind, blocks] of someBlocksOf(at, shape(SIZE))) {
    const chunks = chunkDocument(document(...blocks), limits)
    for (const { text, headingPath, anchor, places } of chunks) {
      expect(text.length, `${name} as ${kind}`).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH)
      expect(places.length).toBeLessThanOrEqual(MAX_PLACES)
      expect(headingPath.join('').length).toBeLessThanOrEqual(12 * 200)
      expect(anchor?.length ?? 0).toBeLessThanOrEqual(500)
      for (const title of headingPath) expect(title).not.toMatch(/[\n\r]/)
    }
    // The header is not repeated with every row, so the total length hardly grows.
    const length = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)
    expect(length, `${name} as ${kind}`).toBeLessThan(30 * SIZE)
  }
})

test('a row that is too long is split without losing text', () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ')
  const chunks = chunkDocument(document({ kind: 'table', header: ['a'], rows: [[words]] }), limits)
  expect(chunks.length).toBeGreaterThan(10)
  const all = chunks
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[^w\d ]/g, '')
  for (const word of ['w0', 'w9999', 'w19999']) expect(all).toContain(word)
})

test('a heading that is too long is also kept as a paragraph', () => {
  const text = 'long heading '.repeat(500)
  const chunks = chunkDocument(
    document({ kind: 'heading', depth: 1, text, anchor: 'a' }, { kind: 'paragraph', markdown: 'x' }),
    limits,
  )
  expect(chunks[0]?.headingPath[0]).toHaveLength(200)
  expect(chunks.map((chunk) => chunk.text).join(' ')).toContain('long heading long heading')
})

test('nested entries have a bounded heading path', () => {
  let blocks: Block[] = [{ kind: 'paragraph', markdown: 'Deep.' }]
  for (let depth = 0; depth < 400; depth += 1)
    blocks = [{ kind: 'entry', term: `t${depth}`, anchor: undefined, blocks }]
  const chunks = chunkDocument(document(...blocks), limits)
  expect(Math.max(...chunks.map(({ headingPath }) => headingPath.length))).toBe(11)
  expect(chunks.some(({ text }) => text.includes('Deep.'))).toBe(true)
})
