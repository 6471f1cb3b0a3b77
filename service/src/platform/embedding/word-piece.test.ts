import { assert as always, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vocabulary } from './vocabulary.ts'
import { createWordPiece } from './word-piece.ts'

const PIECES = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'un',
  '##aff',
  '##able',
  'cafe',
  'run',
  '##ning',
  ',',
  '-',
  '$',
  '中',
  '文',
  ...Array.from('abcdefghijklmnopqrstuvwxyz0123456789').flatMap((letter) => [letter, `##${letter}`]),
]

const vocabulary: Vocabulary = {
  ids: new Map(PIECES.map((piece, id) => [piece, id])),
  unknownId: 1,
  beginId: 2,
  endId: 3,
  isLowerCased: true,
  stripsAccents: true,
}
const wordPiece = createWordPiece(vocabulary)

/** The tokens of a text as text, without `[CLS]` and `[SEP]`. */
const piecesOf = (text: string, of = wordPiece) =>
  of
    .encode(text, 1_000_000, true)
    .slice(1, -1)
    .map((id) => PIECES[id])

describe('pieces of a text', () => {
  it.each([
    ['unaffable', ['un', '##aff', '##able']],
    ['Running', ['run', '##ning']],
    ['CAFÉ', ['cafe']],
    ['run,run-run$', ['run', ',', 'run', '-', 'run', '$']],
    ['run中文run', ['run', '中', '文', 'run']],
    ['run\u00A0\t\nrun', ['run', 'run']],
    ['r\u200Bun\u0000', ['run']],
    ['run ☃ run', ['run', '[UNK]', 'run']],
    ['', []],
  ])('of %j', (text, pieces) => {
    expect(piecesOf(text)).toEqual(pieces)
  })

  it('encodes a word over 100 characters as one unknown token', () => {
    expect(piecesOf('a'.repeat(100))).toHaveLength(100)
    expect(piecesOf('a'.repeat(101))).toEqual(['[UNK]'])
  })

  it('keeps accents and capitals if the model distinguishes them', () => {
    const cased = createWordPiece({ ...vocabulary, isLowerCased: false, stripsAccents: false })
    expect(piecesOf('run Run', cased)).toEqual(['run', '[UNK]'])
    expect(piecesOf('café', cased)).toEqual(['[UNK]'])
  })

  it('does not read special tokens from the text', () => {
    expect(wordPiece.encode('[SEP]', 10, true).slice(1, -1)).not.toContain(vocabulary.endId)
  })
})

describe('limits', () => {
  it('truncates a longer text and keeps both special tokens', () => {
    expect(wordPiece.encode('run run run run', 2, true)).toEqual([2, 8, 8, 3])
    expect(wordPiece.encode('', 2, true)).toEqual([2, 3])
  })
})

describe('any text', () => {
  const anyText = oneof(string({ unit: 'binary' }), string({ unit: 'grapheme' }), string())

  it('never throws, and counts what it encodes', () => {
    always(
      property(anyText, (text) => {
        const ids = wordPiece.encode(text, 1_000_000, true)
        expect(ids.length).toBe(wordPiece.countPieces(text) + 2)
        expect(ids.every((id) => id >= 0 && id < PIECES.length)).toBe(true)
      }),
    )
  })

  it('gives capitals and small letters the same tokens', () => {
    always(
      property(string(), (text) => {
        expect(wordPiece.encode(text.toLowerCase(), 1_000, false)).toEqual(
          wordPiece.encode(text, 1_000, true),
        )
      }),
    )
  })

  it('gives a part of a text that is cut between words the same tokens', () => {
    always(
      property(anyText, anyText, (left, right) => {
        expect(piecesOf(`${left} ${right}`)).toEqual([...piecesOf(left), ...piecesOf(right)])
      }),
    )
  })
})
