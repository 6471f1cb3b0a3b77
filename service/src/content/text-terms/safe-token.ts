import { normalised } from '../../kernel/stream-safe.ts'

const LATIN_LETTER = /\p{Script=Latin}/u
/** Languages whose diacritics are kept: Vietnamese words differ by them. */
const KEEPS_MARKS = new Set(['vi'])
/** Latin letters that do not decompose into a plain letter and a diacritic. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
}

/**
 * Removes diacritics from Latin letters: people omit them when they type, and programs in names. Cyrillic ё is mostly written е. Other
 * scripts keep theirs, which are vowels there.
 */
export function foldMarks(word: string, language: string): string {
  if (KEEPS_MARKS.has(language)) return word
  if (!LATIN_LETTER.test(word)) return word.replaceAll('ё', 'е')
  return normalised(word, 'NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđðłıþ]/g, (letter) => LETTERS[letter] ?? letter)
}

/** Longer words are keys and hashes, which are not readable in the index anyway. */
const MAX_PLAIN_CHARACTERS = 40

const PLAIN = /^[a-z0-9]+$/
/** PostgreSQL parses `2e6liqq` as the number 2e6 followed by a word. */
const LIKE_A_NUMBER = /^\d+e\d/

/** A 53-bit hash of a text, evenly distributed, in base 36 (the mixing steps of MurmurHash3). */
function digest(text: string): string {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x9e3779b1)
    low = Math.imul(low ^ unit, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return (2 ** 32 * (0x1fffff & low) + (high >>> 0)).toString(36)
}

/**
 * The term in a form that PostgreSQL's text search keeps as one token in any server locale: lower-case ASCII letters and digits. Anything
 * else is replaced by a hash, the same for documents and questions; the column is only ever compared.
 */
export function safeToken(term: string): string {
  const isSafe = term.length <= MAX_PLAIN_CHARACTERS && PLAIN.test(term) && !LIKE_A_NUMBER.test(term)
  return isSafe ? term : `x${digest(term)}`
}
