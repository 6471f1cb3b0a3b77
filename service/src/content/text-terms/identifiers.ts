import { splitText } from '../../kernel/cut-text.ts'

/** A word, or words joined by the characters that programs join names with, as they appear in a text. */
const NAME =
  /(?:(?<![\p{L}\p{N}\p{M}-])(?<dashes>--?))?(?<name>[\p{L}\p{N}\p{M}]+(?:(?:::|->|__|[._/-])[\p{L}\p{N}\p{M}]+)*)/gu
const BETWEEN_NAMES = /::|->|[./]/
const WITHIN_NAMES = /[_-]+/
/** `camelCase`, `HTMLParser`: splits at a capital after a lower-case letter, or before the last of several capitals. */
const CAMEL_CASE = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const VERSION = /^v?\d+(?:\.\d+)+$/i

/** Longer paths are not searched for as a whole. */
const MAX_NAMES_OF_A_WHOLE = 4

export interface Name {
  /** Its words, as written. */
  words: string[]
  /** The name and its compound parts, without separators, so that it is found as a whole in any spelling. */
  wholes: string[]
}

/** `3.11.2` is found as itself and as `3.11`; its single numbers would match anything. */
function versionOf(text: string): Name {
  const numbers = text.toLowerCase().replace(/^v/, '').split('.')
  const whole = `v${numbers.join('d')}`
  const series = `v${numbers.slice(0, 2).join('d')}`
  return { words: [], wholes: whole === series ? [whole] : [whole, series] }
}

/** `maxRetries` is two words, and one word for a reader who writes it in lower case. */
function camelCaseParts(word: string): string[] {
  const humps = word.split(CAMEL_CASE)
  return humps.length > 1 ? humps.filter((hump) => hump.length > 1) : []
}

function nameOf(dashes: string, text: string): Name {
  if (VERSION.test(text)) return versionOf(text)
  const names = text.split(BETWEEN_NAMES)
  const words: string[] = []
  const wholes: string[] = []
  for (const name of names) {
    const parts = name.split(WITHIN_NAMES)
    words.push(...parts.flatMap((part) => [part, ...camelCaseParts(part)]))
    if (parts.length > 1) wholes.push(parts.join(''))
  }
  if (names.length > 1 && names.length <= MAX_NAMES_OF_A_WHOLE)
    wholes.push(names.join('').replaceAll(/[_-]/g, ''))
  // Distinguished from the plain word: a question with `--watch` is about the option.
  if (dashes === '--' || (dashes === '-' && text.length === 1))
    wholes.push(`option${text.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')}`)
  return { words, wholes }
}

/**
 * Maximum length of a run of letters that is read as one name, in UTF-16 units. Scripts without spaces have longer runs, and so have keys
 * and encoded pictures: those are read piece by piece.
 */
const MAX_NAME_LENGTH = 200

/** The words and names of a text, in order. */
export function* namesOf(text: string): Generator<Name, void, void> {
  for (const { groups } of text.matchAll(NAME)) {
    const [dashes, name] = [groups?.['dashes'] ?? '', groups?.['name'] ?? '']
    if (name.length <= MAX_NAME_LENGTH) yield nameOf(dashes, name)
    else for (const piece of splitText(name, MAX_NAME_LENGTH)) yield nameOf('', piece)
  }
}
