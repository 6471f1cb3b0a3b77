import { CHINESE } from './foreign-words/chinese.ts'
import { FRENCH } from './foreign-words/french.ts'
import { GERMAN } from './foreign-words/german.ts'
import { JAPANESE } from './foreign-words/japanese.ts'
import { SPANISH } from './foreign-words/spanish.ts'

/**
 * What a word of another language is in the English of documentation, one meaning a line: "english: word word". A line with nothing before
 * the colon has words to leave out. Endings do not matter (`translate-question.ts`), so one form of a regular verb is enough.
 */
export const FOREIGN_WORDS = { de: GERMAN, fr: FRENCH, es: SPANISH } as const

/** The same of languages that do not separate words: each is looked for within the text, the longest first. */
export const UNSPACED_WORDS = { ja: JAPANESE, zh: CHINESE } as const
