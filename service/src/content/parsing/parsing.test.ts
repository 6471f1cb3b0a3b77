import { afterAll, beforeAll, expect, test } from 'vitest'
import { canParse, createParsing, mediaTypeOfFile, ParseFailure, type Parsing } from './parsing.ts'

const LIMITS = { workers: 1, timeLimitMs: 60_000, memoryLimitMb: 512 }

let parsing: Parsing
beforeAll(() => {
  parsing = createParsing(LIMITS)
})
afterAll(() => parsing.close())

const page = (html: string) => ({
  mediaType: 'text/html; charset=utf-8',
  bytes: new TextEncoder().encode(html),
  url: 'https://docs.example.com/a',
})

test('documents are parsed in a separate process, and the bytes of the caller are kept', async () => {
  const buffer = new TextEncoder().encode('xx<title>T</title><main><p>Hello</p></main>xx')
  const input = { ...page(''), bytes: buffer.subarray(2, -2) }
  const { document, textLength, page: signs } = await parsing.parse(input)
  expect(document).toEqual({
    title: 'T',
    language: undefined,
    blocks: [{ kind: 'paragraph', markdown: 'Hello' }],
  })
  expect(textLength).toBe(5)
  expect(signs?.links).toEqual([])
  expect(input.bytes.length).toBe(buffer.length - 4)
  const operations = await parsing.parseOpenApi({
    ...page('openapi: 3.0.0\npaths: { /a: { get: {} } }'),
    mediaType: '',
  })
  expect(operations.map(({ name }) => name)).toEqual(['overview', 'GET /a'])
})

test('many documents wait for one process, and each caller gets its own', async () => {
  const titles = Array.from({ length: 50 }, (_, place) => `Page ${place}`)
  const parsed = await Promise.all(titles.map((title) => parsing.parse(page(`<title>${title}</title>`))))
  expect(parsed.map(({ document }) => document.title)).toEqual(titles)
})

test('a document that cannot be read fails with a readable message, and the next one is read', async () => {
  await expect(parsing.parse({ ...page('x'), mediaType: 'application/pdf' })).rejects.toThrow(ParseFailure)
  await expect(parsing.parse({ ...page('x'), mediaType: 'video/mp4' })).rejects.toThrow(
    'type "video/mp4" cannot be read',
  )
  await expect(parsing.parse(page('<title>Next</title>'))).resolves.toMatchObject({
    document: { title: 'Next' },
  })
})

test('a document with too much text fails with a readable message', async () => {
  const bytes = Buffer.from('word '.repeat(21 * 209_716))
  const text = { mediaType: 'text/plain', bytes, url: 'file:///long.txt' }
  await expect(parsing.parse(text)).rejects.toThrow('It contains 22 million characters of text')
})

test('a document that takes too long fails, and the next one is read', async () => {
  await using hurried = createParsing({ ...LIMITS, timeLimitMs: 1_500 })
  const slow = page(`<table>${'<tr><td>a<td>b'.repeat(240_000)}`)
  await expect(hurried.parse(slow)).rejects.toThrow('took longer than 1.5 s.')
  // A new parser reads the modules for a page first, which takes a third of the time.
  const next = { ...page('Next\n\nand more'), mediaType: 'text/plain' }
  await expect(hurried.parse(next)).resolves.toMatchObject({ document: { title: 'Next' } })
})

test('a document that takes too much memory fails, and the next one is read', async () => {
  await using narrow = createParsing({ ...LIMITS, memoryLimitMb: 200 })
  await expect(narrow.parse(page('<p>x'.repeat(900_000)))).rejects.toThrow('needs more than 200 MB of memory')
  await expect(narrow.parse(page('<title>Next</title>'))).resolves.toMatchObject({
    document: { title: 'Next' },
  })
})

test('a cancelled caller is released immediately, and those behind it are served', async () => {
  const giveUp = new AbortController()
  const first = parsing.parse(page('<title>1</title>'), giveUp.signal)
  const second = parsing.parse(page('<title>2</title>'), giveUp.signal)
  const third = parsing.parse(page('<title>3</title>'))
  giveUp.abort(new Error('cancelled'))
  await expect(first).rejects.toThrow('cancelled')
  await expect(second).rejects.toThrow('cancelled')
  await expect(parsing.parse(page(''), giveUp.signal)).rejects.toThrow('cancelled')
  expect((await third).document.title).toBe('3')
})

test('a document handed to a parser that the system has just ended is read by a new one', async () => {
  await using single = createParsing({ ...LIMITS, workers: 1 })
  await single.parse(page('<title>First</title>'))
  const [idle = 0] = single.processIds()
  process.kill(idle, 'SIGKILL')
  const { document } = await single.parse(page('<title>Second</title>'))
  expect(document.title).toBe('Second')
  expect(single.processIds()).not.toContain(idle)
})

test('closing rejects waiting tasks', async () => {
  const closing = createParsing(LIMITS)
  const waiting = [closing.parse(page('a')), closing.parse(page('b'))].map((each) =>
    each.catch((error: unknown) => error),
  )
  await closing.close()
  for (const failure of await Promise.all(waiting)) expect(String(failure)).toContain('shutting down')
  await expect(closing.parse(page('c'))).rejects.toThrow('shutting down')
})

test('the media type of a file follows its extension', () => {
  expect(mediaTypeOfFile('docs/v1.2/README.MD')).toBe('text/markdown')
  expect(mediaTypeOfFile('a/notebook.ipynb')).toBe('application/x-ipynb+json')
  expect(mediaTypeOfFile('Makefile')).toBeUndefined()
  expect(mediaTypeOfFile('image.png')).toBeUndefined()
  expect(canParse('Text/HTML; charset=utf-8')).toBe(true)
  expect(canParse('image/png')).toBe(false)
})
