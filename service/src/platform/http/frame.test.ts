import { createParser } from 'eventsource-parser'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame } from './frame.ts'

/** The frames that a third-party parser reads from the bytes, given in these pieces. */
function parse(pieces: readonly Uint8Array[]) {
  const events: { event: string | undefined; data: string }[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ event, data }),
  })
  const decoder = new TextDecoder()
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }))
  return { frames: events.map(({ data }) => JSON.parse(data) as unknown), events }
}

test('a third-party parser reads the same frames wherever the bytes are split', () => {
  const frames = [
    { delta: 'Zeile\nnext\r\n"ä😀\u2028\u2029 data: x\n\n' },
    { delta: '', done: false },
    { done: true },
  ]
  const bytes = Buffer.concat(frames.map(encodeFrame))

  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)]).frames, `cut at ${cut}`).toEqual(frames)
  }
  const byteByByte = parse([...bytes].map((byte) => Uint8Array.of(byte)))
  expect(byteByByte.frames).toEqual(frames)
  expect(byteByByte.events.every(({ event }) => event === undefined)).toBe(true)
})

test('line separators that some parsers recognise are escaped', () => {
  const text = new TextDecoder().decode(encodeFrame({ delta: 'a\nb\rc\u2028d\u2029e' }))

  expect(text).toBe('data: {"delta":"a\\nb\\rc\\u2028d\\u2029e"}\n\n')
})

test('any JSON becomes one data line, and a third-party parser reads back the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 })), (frame) => {
      const bytes = encodeFrame(frame)
      const text = new TextDecoder().decode(bytes)
      expect(text.split(/[\n\r\u2028\u2029]/)).toHaveLength(3)
      expect(parse([bytes]).frames).toEqual([JSON.parse(JSON.stringify(frame))])
    }),
    { numRuns: 40 },
  )
})
