import { analyseQuestionTerms, baseLanguage } from '../../content/text-terms/text-terms.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { FOREIGN_WORDS, UNSPACED_WORDS } from './foreign-words.ts'
import type { OwnLanguage } from './own-sentences.ts'
import { certainLanguage, isSmallWord } from './question-language.ts'

/** The English of a foreign word without its ending; empty for a word to leave out. */
interface Dictionary {
  language: keyof typeof FOREIGN_WORDS
  english: ReadonlyMap<string, string>
}

function entriesOf(lines: string): [string, string][] {
  return lines.split('\n').flatMap((line) => {
    const [english = '', words = ''] = line.split(':')
    return words
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word): [string, string] => [word, english.trim()])
  })
}

/** A word without its ending, as pages in its language are searched. */
const termOf = (word: string, language: string) => analyseQuestionTerms(word, language).join(' ')

const spaced = new Map(
  (['de', 'fr', 'es'] as const).map((language) => [
    language as OwnLanguage,
    {
      language,
      english: new Map(
        entriesOf(FOREIGN_WORDS[language]).map(([word, english]) => [termOf(word, language), english]),
      ),
    },
  ]),
)

const unspaced = new Map(
  (['ja', 'zh'] as const).map((language) => [
    language as OwnLanguage,
    entriesOf(UNSPACED_WORDS[language]).toSorted(([left], [right]) => right.length - left.length),
  ]),
)

/** What is translated of a question: who pastes a page into it asks nothing that a dictionary could find. */
const MOST_CHARACTERS = 300

interface Translation {
  words: string[]
  /** How many of them are of the dictionary. */
  known: number
}

function translateSpaced(query: string, { language, english: dictionary }: Dictionary): Translation {
  const words: string[] = []
  let known = 0
  for (const [word] of query.matchAll(/[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./-]*/gu)) {
    // `Dev-Servers`, but not `server.port` or `--host`.
    const parts = /[\p{N}_./]/u.test(word) ? [word] : word.split('-')
    for (const part of parts) {
      const english = dictionary.get(termOf(part, language))
      if (part === '' || english === '' || isSmallWord(part, language)) continue
      if (english !== undefined) known += 1
      if (english === undefined || english !== words.at(-1)) words.push(english ?? part)
    }
  }
  return { words, known }
}

/** Endings and particles, and single characters that the dictionary does not have. */
const BETWEEN_WORDS =
  /\p{Script=Hiragana}+|(?<![\p{Script=Han}\p{Script=Katakana}ー])[\p{Script=Han}\p{Script=Katakana}](?![\p{Script=Han}\p{Script=Katakana}ー])|[。、？！「」・：（）]/gu

function translateUnspaced(query: string, entries: readonly [string, string][]): Translation {
  let known = 0
  let text = query
  for (const [word, english] of entries) {
    if (!text.includes(word)) continue
    if (english !== '') known += 1
    text = text.replaceAll(word, ` ${english} `)
  }
  const words = text
    .replaceAll(BETWEEN_WORDS, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  return { words, known }
}

/**
 * A question in another language by its English words, as far as a small dictionary of documentation has them; the others stay as they
 * are. Undefined if it is English, if its language is unclear or has no dictionary, or if none of its words is known.
 *
 * @example
 * inEnglish('Wie ändere ich den Port des Dev-Servers?') // 'change Port Dev Servers'
 */
export function inEnglish(question: string): string | undefined {
  const query = question.slice(0, MOST_CHARACTERS)
  const language = certainLanguage(query)
  if (language === undefined) return undefined
  const [dictionary, entries] = [spaced.get(language), unspaced.get(language)]
  const { words, known } =
    dictionary === undefined ? translateUnspaced(query, entries ?? []) : translateSpaced(query, dictionary)
  return known === 0 ? undefined : words.join(' ')
}

/** The same, if pages and model know English and no other language, or say nothing of it. */
export const translatedFor = (
  query: string,
  { language: base }: { language: string | undefined },
  { embedder }: { embedder: Pick<Embedder, 'language'> | undefined },
): string | undefined =>
  baseLanguage(base) === 'en' && (embedder === undefined || embedder.language === 'en')
    ? inEnglish(query)
    : undefined
