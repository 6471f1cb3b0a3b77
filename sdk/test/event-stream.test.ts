import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { createClient, type AnswerFrame } from '../src/client.ts'
import { createEventSplitter } from '../src/event-stream.ts'
import { errorOf } from './error-of.ts'

const CITATION = {
  index: 1,
  title: 'Schlüssel “drehen” 🔑',
  url: 'https://docs.example.com/keys',
  document_id: 'd1',
  chunk_id: 'c1',
  heading_path: ['Keys', 'Rotation'],
  excerpt: 'Jeden Tag 🕛.',
}
const FRAMES = [
  { citations: [CITATION], done: false },
  { delta: 'Täglich 🕛\n\n', done: false },
  { delta: 'data: not a field', done: false },
  {
    done: true,
    citations: [CITATION],
    answer: 'Täglich 🕛 [1].',
    covered: true,
    confidence: 0.5,
    thread_id: 't1',
  },
]
const textWith = (end: string) =>
  `: keep-alive${end}${end}${FRAMES.map(
    (frame, at) => `${at === 1 ? `event: x${end}id: 7${end}` : ''}data: ${JSON.stringify(frame)}${end}${end}`,
  ).join(`:${end}${end}`)}`

const LINE_ENDS = [
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
] as const

/** A client whose service answers with these pieces. */
const clientOf = (pieces: readonly Uint8Array[]) =>
  createClient({
    endpoint: 'http://citewell.test',
    knowledgeBaseId: 'kb',
    clientKey: 'cw_pk_1',
    retries: 0,
    fetch: async () => new Response(ReadableStream.from(pieces)),
  })

async function framesOf(pieces: readonly Uint8Array[]): Promise<AnswerFrame[]> {
  const frames: AnswerFrame[] = []
  for await (const frame of clientOf(pieces).ask('When?')) frames.push(frame)
  return frames
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

test.each(LINE_ENDS)('frames that end with %s are the same wherever they are cut', async (_, end) => {
  const bytes = bytesOf(textWith(end))
  const whole = await framesOf([bytes])
  expect(whole).toEqual([
    { type: 'start', citations: [expect.objectContaining({ headingPath: ['Keys', 'Rotation'] })] },
    { type: 'delta', delta: 'Täglich 🕛\n\n', text: 'Täglich 🕛\n\n' },
    { type: 'delta', delta: 'data: not a field', text: 'Täglich 🕛\n\ndata: not a field' },
    {
      type: 'done',
      text: 'Täglich 🕛 [1].',
      answer: 'Täglich 🕛 [1].',
      citations: [expect.objectContaining({ documentId: 'd1' })],
      covered: true,
      confidence: 0.5,
      threadId: 't1',
    },
  ])
  for (let at = 1; at < bytes.length; at += 1)
    expect(await framesOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
  expect(await framesOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole)
})

test('a stream that is cut at any byte before its last frame throws STREAM_CUT', async () => {
  const bytes = bytesOf(textWith('\n'))
  // The last frame is complete with its blank line.
  for (let at = 0; at < bytes.length; at += 7) {
    const error = await errorOf(framesOf([bytes.subarray(0, at)]))
    expect(error).toMatchObject({ code: 'STREAM_CUT', retryable: true })
  }
})

test.each([
  'data: a\ndata: b\n\n',
  'data:a\n\ndata\n\ndata: \n\n',
  'data: a\r\ndata: b\r\n\r\n',
  ': comment\r\n\r\ndata: a\r\r\ndata: b\n\n',
  'data:  two spaces\nevent: e\nretry: 3\n\n',
  'datax: a\n\n\n\ndata: b\r\n\r\n',
  'data: not ended',
  'data: a\n\ndata: not ended\n',
  '\u{feff}data: a\n\n',
])('the events of %j are those of eventsource-parser, however they are cut', (text) => {
  for (let at = 0; at <= text.length; at += 1) {
    const judged: string[] = []
    const parser = createParser({ onEvent: ({ data }) => judged.push(data) })
    parser.feed(text)
    // A decoder takes the mark at the beginning of a stream away.
    const given = text.replace(/^\u{feff}/u, '')
    const split = createEventSplitter()
    expect([...split(given.slice(0, Math.max(0, at))), ...split(given.slice(Math.max(0, at)))]).toEqual(
      judged,
    )
  }
})

test('an event without end, and one that is not a frame, are errors', async () => {
  const split = createEventSplitter(100)
  expect(() => split(`data: ${'x'.repeat(200)}`)).toThrow('format')
  expect(await errorOf(framesOf([bytesOf('data: [DONE\n\n')]))).toMatchObject({ code: 'BAD_ANSWER' })
  expect(await errorOf(framesOf([bytesOf('data: 7\n\n')]))).toMatchObject({ code: 'BAD_ANSWER' })
  expect(await errorOf(framesOf([bytesOf('data: {"delta":7}\n\n')]))).toMatchObject({ code: 'BAD_ANSWER' })
  expect(await errorOf(framesOf([bytesOf('data: {"citations":7}\n\n')]))).toMatchObject({
    code: 'BAD_ANSWER',
  })
})

test('a frame with a hostile key does not change other objects', async () => {
  const hostile = '{"done":true,"citations":[],"covered":true,"confidence":1,"__proto__":{"isHostile":true}}'
  const frames = await framesOf([bytesOf(`data: ${hostile}\n\n`)])
  expect(frames.at(-1)).toMatchObject({ type: 'done', covered: true })
  expect(({} as Record<string, unknown>)['isHostile']).toBeUndefined()
  expect(Object.getPrototypeOf(frames.at(-1))).toBe(Object.prototype)
})
