import { normalised } from '../../kernel/stream-safe.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Share of a vocabulary that is common words: of 30,522 entries the first 1,000 or so are marks and letters, 3,000 everyday words. */
const COMMON_SHARE = 4_000 / 30_522

/** How rare the word at this place of a vocabulary is: the logarithm of its place, by Zipf's law. */
function rarityAt(place: number | undefined, size: number): number {
  if (place === undefined) return 1
  return Math.min(1, Math.max(0, 1 - Math.log(place / size) / Math.log(COMMON_SHARE)))
}

/** Splits text into the tokens of a BERT-type model. */
export interface WordPiece {
  /** Number of tokens of a text, without `[CLS]` and `[SEP]`. */
  countPieces(text: string): number
  /** Whether a word is in the vocabulary as a whole: of a wrongly spelled one only pieces are. The word is not cached. */
  knows(word: string): boolean
  /**
   * How rare a word is, 0 to 1, by its place in the vocabulary, which is in order of frequency: 0 for the commonest few thousand, 1 for a
   * word that is not in it as a whole. The word is not cached.
   */
  rarityOf(word: string): number
  /**
   * Ids of the text's tokens between `[CLS]` and `[SEP]`, at most `maxPieces` of them. Words of a reader are not cached
   * (`isRemembered: false`): they would stay in memory.
   */
  encode(text: string, maxPieces: number, isRemembered: boolean): number[]
  /**
   * The same for parts that are separated by white space, with the span of each part. The first part is a prefix and has no span;
   * neither has a part that is cut off or has no tokens.
   */
  encodeParts(parts: readonly string[], maxPieces: number): { pieces: number[]; spans: PartSpan[] }
  /**
   * Ids of the tokens of a question and a passage, `[CLS] question [SEP] passage [SEP]`, with the spans of the parts of both. The
   * question takes a quarter of `maxPieces` at most; its words are not cached.
   */
  encodePair(question: readonly string[], passage: readonly string[], maxPieces: number): EncodedPair
}

/** The tokens of a question and a passage, and where their parts are among them. */
export interface EncodedPair {
  pieces: number[]
  question: PartSpan[]
  passage: PartSpan[]
}

/** The token range of a part: `start` inclusive, `end` exclusive. Parts count from 0. */
export interface PartSpan {
  part: number
  start: number
  end: number
}

/** Longer words become one unknown token, as in the models' training. */
const MAX_WORD_CHARACTERS = 100

/** A character has one or two UTF-16 units. */
const isTooLong = (word: string) =>
  word.length > 2 * MAX_WORD_CHARACTERS ||
  (word.length > MAX_WORD_CHARACTERS && Array.from(word).length > MAX_WORD_CHARACTERS)

/** Part of a pair's tokens that the question may take: one in this many. */
const QUESTION_SHARE = 4

/** Maximum number of words cached with their tokens. A documentation site has some ten thousand distinct words. */
const MAX_REMEMBERED_WORDS = 20_000

// Unicode classes some ASCII punctuation as symbols ($ + < = > ^ ` | ~), but BERT separates all of them.
const WORD_OR_MARK = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu
const CHINESE_CHARACTER =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu
const UNREADABLE = /[^\P{C}\t\n\r]|\uFFFD/gu
const NOT_ASCII = /[^\t\n\r\x20-\x7E]/

/** Text normalised as for BERT: no control characters, Chinese characters separated, and accents and capitals as configured. */
function normalise(text: string, { isLowerCased, stripsAccents }: Vocabulary): string {
  if (!NOT_ASCII.test(text)) return isLowerCased ? text.toLowerCase() : text
  const readable = text.replaceAll(UNREADABLE, '').replaceAll(CHINESE_CHARACTER, ' $& ')
  const plain = stripsAccents ? normalised(readable, 'NFD').replaceAll(/\p{Mn}/gu, '') : readable
  return isLowerCased ? plain.toLowerCase() : plain
}

export function createWordPiece(vocabulary: Vocabulary): WordPiece {
  const { ids, unknownId, beginId, endId } = vocabulary
  const remembered = new Map<string, readonly number[]>()

  /** Greedy longest match: the longest known prefix, then the longest known continuation, and so on. */
  function cut(word: string): readonly number[] {
    if (isTooLong(word)) return [unknownId]
    const pieces: number[] = []
    let start = 0
    while (start < word.length) {
      let end = word.length
      let id: number | undefined
      while (end > start && id === undefined) {
        id = ids.get(start === 0 ? word.slice(0, end) : `##${word.slice(start, end)}`)
        end -= 1
      }
      if (id === undefined) return [unknownId]
      pieces.push(id)
      start = end + 1
    }
    return pieces
  }

  function piecesOf(word: string): readonly number[] {
    if (isTooLong(word)) return [unknownId]
    return remembered.get(word) ?? remember(word, cut(word))
  }

  function remember(word: string, pieces: readonly number[]): readonly number[] {
    if (remembered.size >= MAX_REMEMBERED_WORDS) remembered.clear()
    remembered.set(word, pieces)
    return pieces
  }

  /** Adds the tokens of parts until there are `most` in all. */
  function addParts(
    pieces: number[],
    parts: readonly string[],
    most: number,
    cutWord: (word: string) => readonly number[],
  ): PartSpan[] {
    const spans: PartSpan[] = []
    for (const [part, text] of parts.entries()) {
      const start = pieces.length
      for (const word of wordsOf(text)) {
        pieces.push(...cutWord(word))
        if (pieces.length > most) break
      }
      pieces.length = Math.min(pieces.length, most)
      if (pieces.length > start) spans.push({ part, start, end: pieces.length })
    }
    return spans
  }

  const cutQuietly = (word: string) => remembered.get(word) ?? cut(word)

  const wordsOf = (text: string) => normalise(text, vocabulary).match(WORD_OR_MARK) ?? []

  return {
    countPieces: (text) => wordsOf(text).reduce((count, word) => count + piecesOf(word).length, 0),
    knows: (word) => wordsOf(word).every((part) => ids.has(part)),
    rarityOf: (word) => Math.max(0, ...wordsOf(word).map((part) => rarityAt(ids.get(part), ids.size))),
    encode(text, maxPieces, isRemembered) {
      const encoded = [beginId]
      for (const word of wordsOf(text)) {
        encoded.push(...(isRemembered ? piecesOf(word) : cutQuietly(word)))
        if (encoded.length > maxPieces) break
      }
      encoded.length = Math.min(encoded.length, maxPieces + 1)
      encoded.push(endId)
      return encoded
    },
    encodeParts([prefix = '', ...parts], maxPieces) {
      const pieces = [beginId, ...wordsOf(prefix).flatMap(piecesOf)]
      const spans = addParts(pieces, parts, maxPieces + 1, piecesOf)
      pieces.push(endId)
      return { pieces, spans }
    },
    encodePair(question, passage, maxPieces) {
      const pieces = [beginId]
      const asked = addParts(pieces, question, Math.floor(maxPieces / QUESTION_SHARE), cutQuietly)
      pieces.push(endId)
      const said = addParts(pieces, passage, maxPieces + 1, piecesOf)
      pieces.push(endId)
      return { pieces, question: asked, passage: said }
    },
  }
}
