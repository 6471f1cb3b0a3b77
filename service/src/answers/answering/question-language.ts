import { understands } from '../../content/search/search.ts'
import { baseLanguage } from '../../content/text-terms/text-terms.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { ALSO_ENGLISH, FURTHER_LETTERS, LATIN, LETTERS, type LatinLanguage } from './language-words.ts'
import { OWN_LANGUAGES, type OwnLanguage } from './own-sentences.ts'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu

const SCRIPTS: readonly (readonly [RegExp, OwnLanguage])[] = [
  [KANA, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Arabic}/gu, 'ar'],
]

/** One letter of these scripts says about as much as this many Latin ones: names of products stay Latin. */
const LETTERS_OF_WORD = 6

/** Japanese is written with Chinese characters too. */
const ofJapanese = (letters: RegExp) =>
  letters === KANA ? /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu : letters

/** Letters of Persian, Urdu and others that are written in Arabic script. */
const NOT_ARABIC = /[پچژگکیےٹڈڑں]/

/** A question shows its language at its beginning. */
const MOST_CHARACTERS = 600

/** Earlier questions that are looked at. */
const MOST_EARLIER = 3

/** The language of another script than Latin, if a question has enough of it. Product names in it may be Latin. */
function languageOfScript(text: string): OwnLanguage | undefined {
  const countOf = (letters: RegExp) => text.match(letters)?.length ?? 0
  const latin = countOf(/\p{Script=Latin}/gu)
  const isEnough = (letters: RegExp) =>
    countOf(letters) > 1 && LETTERS_OF_WORD * countOf(ofJapanese(letters)) > latin
  const language = SCRIPTS.find(([letters]) => isEnough(letters))?.[1]
  if (language === 'ar' && NOT_ARABIC.test(text)) return undefined
  return language
}

/** What a word that asks counts, or a special letter; and from what a language is certain: one of these, or two small words. */
const CERTAIN = 2

/** Names with dots, slashes and the like in them: `example.com`, `exc.OperationalError`. What they are made of are no words. */
// bounded: at most 600 characters
const JOINED = /[\p{L}\p{N}]+(?:[._/@\\]+[\p{L}\p{N}]+)+/gu

const isCapital = (word: string) => /^\p{Lu}/u.test(word)

/** In capitals only, a question of some words is read as if it were not. */
const quiet = (text: string) =>
  /\p{Ll}/u.test(text) || text.split(/\s+/).length < 4 ? text : text.toLowerCase()

interface Token {
  word: string
  /** Whether it begins a sentence. */
  isFirst: boolean
  next: string
}

function* tokensOf(text: string): Generator<Token, void, void> {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const before = text.slice(0, index)
    const said = before.trimEnd()
    const isFirst = said === '' || /[.?!¿¡:"“«(]$/.test(said) || before.slice(said.length).includes('\n')
    yield { word, isFirst, next: text.slice(index + word.length) }
  }
}

/**
 * Whether a token can be a word of a language at all. `E12` and `DOS` are names, `D` is a drive, `La` within a sentence is in Los Angeles;
 * `l` is a word before an apostrophe.
 */
function isWord({ word, isFirst, next }: Token): boolean {
  if (/\p{N}/u.test(word)) return false
  if (word.length === 1) return /^['’]/.test(next) || (isFirst ? /[aeoiyéèà]/i : /[aeoiyIéèà]/).test(word)
  if (word.length <= 3 && word === word.toUpperCase()) return false
  return isFirst || !isCapital(word)
}

const wordsOf = (text: string) => [...tokensOf(text)].filter(isWord).map(({ word }) => word.toLowerCase())

/** Letters of names (São Paulo, El Niño) say nothing of a question. Only German writes other nouns with a capital. */
function hasLetters(text: string, letters: RegExp, language: LatinLanguage): boolean {
  if (language === 'de' || /[¿¡]/.test(text)) return letters.test(text.toLowerCase())
  return [...tokensOf(text)].some(
    ({ word, isFirst, next }) =>
      letters.test(word.toLowerCase()) && (!isCapital(word) || (isFirst && /^\s+\p{Ll}/u.test(next))),
  )
}

function weightIn(word: string, language: LatinLanguage): number {
  const { asking, small, telling } = LATIN[language]
  return asking.has(word) ? CERTAIN : Number(small.has(word) || telling?.has(word) === true)
}

const LANGUAGES = Object.keys(LATIN) as LatinLanguage[]

function weightOf(word: string, language: LatinLanguage): number {
  if (language !== 'en' || !ALSO_ENGLISH.has(word)) return weightIn(word, language)
  return Math.max(...LANGUAGES.map((each) => weightIn(word, each)))
}

/** The languages in Latin script whose words a question has most of: several if it is unclear, none if it has none. */
function latinLanguages(asked: string): { best: LatinLanguage[]; score: number } {
  const text = quiet(asked).replaceAll(JOINED, ' ')
  if (FURTHER_LETTERS.test(text.toLowerCase())) return { best: [], score: 0 }
  const found = wordsOf(text)
  const scores = LANGUAGES.map((language) => {
    const ofWords = found.reduce((sum, word) => sum + weightOf(word, language), 0)
    const isSpecial = LETTERS.some(([letters, of]) => of === language && hasLetters(text, letters, of))
    return { language, score: ofWords + (isSpecial ? CERTAIN : 0) }
  })
  const score = Math.max(...scores.map((each) => each.score))
  const best = scores.filter((each) => score > 0 && each.score === score).map(({ language }) => language)
  return { best, score }
}

/** The language of a question, if its words or its script leave no doubt: a word that asks, a special letter, or two small words. */
export function certainLanguage(query: string): OwnLanguage | undefined {
  const text = query.slice(0, MOST_CHARACTERS)
  return languageOfScript(text) ?? certainLatin(text)
}

function certainLatin(text: string): LatinLanguage | undefined {
  const { best, score } = latinLanguages(text)
  return best.length === 1 && score >= CERTAIN ? best[0] : undefined
}

/** Whether it is a word of this language that asks, or a small one. */
export function isSmallWord(word: string, language: LatinLanguage): boolean {
  const { asking, small } = LATIN[language]
  const tokens = [...tokensOf(word)]
  const isSmall = (token: Token) => {
    const written = token.word.toLowerCase()
    return (isWord(token) || written === token.word) && (asking.has(written) || small.has(written))
  }
  return tokens.length > 0 && tokens.every(isSmall)
}

/**
 * A question in a language that the pages are not in, without that language's words that ask and its small words: only words that both
 * languages share can be found ("Wie mache ich ein Backup?"). The same text if its language is unclear, or if nothing would be left.
 *
 * @param isKnown - whether the pages, or the model that compares meanings, know a language
 */
export function withoutForeignWords(query: string, isKnown: (language: string) => boolean): string {
  const only = certainLatin(query.slice(0, MOST_CHARACTERS))
  if (only === undefined || isKnown(only)) return query
  const left = query.split(/\s+/).filter((word) => !isSmallWord(word, only))
  return left.some((word) => /[\p{L}\p{N}]/u.test(word)) ? left.join(' ') : query
}

/**
 * What is searched for: of a question in a language that neither pages nor model know, the words that they may share with it. The pages of
 * a base without a language count as English: they are, or they are in several languages.
 */
export const soughtFor = (
  query: string,
  { language: base }: { language: string | undefined },
  { embedder }: { embedder: Pick<Embedder, 'language'> | undefined },
): string =>
  withoutForeignWords(
    query,
    (language) =>
      language === baseLanguage(base) || (embedder !== undefined && understands(embedder, language)),
  )

const ownOf = (tag: string): OwnLanguage | undefined => {
  const name = tag.trim().toLowerCase().split(/[-_;]/)[0] ?? ''
  // `iw` is what some systems still call Hebrew.
  return OWN_LANGUAGES.find((language) => language === (name === 'iw' ? 'he' : name))
}

export interface LanguageHints {
  /** The header Accept-Language of who asks; the first of our languages in it counts. */
  acceptLanguage: string | undefined
  /** The language of the knowledge base. */
  base: string | undefined
  /** What was asked before in the conversation. */
  earlier?: readonly string[] | undefined
}

/**
 * The language for what the service itself says in an answer: that of the question. If the question is too short to tell, or could be of
 * several languages, that of the conversation decides, then the reader's own (Accept-Language), then that of the knowledge base, then
 * English. One small word is not enough to tell: English and the language of the base stay possible.
 *
 * @example
 * languageOfQuestion('Wie mache ich ein Backup?', { acceptLanguage: 'en-US', base: undefined }) // 'de'
 */
export function languageOfQuestion(query: string, hints: LanguageHints): OwnLanguage {
  const text = query.slice(0, MOST_CHARACTERS)
  const certain = certainLanguage(text)
  if (certain !== undefined) return certain
  const { best, score } = latinLanguages(text)
  const ofBase = ownOf(hints.base ?? '')
  const possible: readonly (OwnLanguage | undefined)[] = score < CERTAIN ? [...best, 'en', ofBase] : best
  const told = [
    ...(hints.earlier ?? []).slice(-MOST_EARLIER).reverse().map(certainLanguage),
    ...(hints.acceptLanguage ?? '').slice(0, 300).split(',').map(ownOf),
    ofBase,
  ]
  const isPossible = (language: OwnLanguage | undefined) =>
    language !== undefined && (best.length === 0 || possible.includes(language))
  return told.find(isPossible) ?? (isPossible('en') ? 'en' : (best[0] ?? 'en'))
}
