import { expect, test } from 'vitest'
import { HOSTILE_SHAPES } from '../../../test/hostile-shapes.ts'
import { MAX_PASSAGE_LENGTH, MAX_PLACES, readingOf, readPassage, writeReading } from './reading.ts'

const TEXT =
  'Keys **rotate** at [home](https://docs.example.com/a#b).\n\n**Old**\n\n![chart](https://img.example.com/c.png)'
const PLACES = [{ at: 0 }, { at: TEXT.indexOf('**Old**') }]

test('a passage is read as its parts and the addresses that it names', () => {
  expect(readPassage(TEXT, PLACES)).toEqual({
    parts: [['Keys rotate at home.'], ['Old']],
    links: ['https://docs.example.com/a', 'https://img.example.com/c.png'],
    images: ['https://img.example.com/c.png'],
  })
})

test('a valid stored reading is used as it is, and anything else is read again', () => {
  const reading = writeReading({ parts: [['other'], ['words']], links: [], images: [] })

  expect(readingOf({ text: TEXT, places: PLACES, reading }).parts).toEqual([['other'], ['words']])
  for (const broken of [
    undefined,
    '',
    '{}',
    '[1',
    '{"parts":[],"links":[],"images":[]}',
    reading.replace('["other"],', ''),
  ])
    expect(readingOf({ text: TEXT, places: PLACES, reading: broken }).parts).toHaveLength(2)
})

test('passages indexed by earlier versions are read within the limits', { tags: ['long'] }, () => {
  for (const shape of Object.values(HOSTILE_SHAPES)) {
    const text = shape(1_000_000)
    const places = Array.from({ length: 2_000 }, (_, at) => ({ at: at * 300 }))
    const reading = readPassage(text, places)
    expect(reading.parts.length).toBeLessThanOrEqual(MAX_PLACES)
    expect(reading.parts.flat().join('').length).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH)
    expect(writeReading(reading).isWellFormed()).toBe(true)
  }
})
