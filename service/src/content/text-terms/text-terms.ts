import { normalised } from '../../kernel/stream-safe.ts'
import { namesOf } from './identifiers.ts'
import { foldMarks, safeToken } from './safe-token.ts'
import { languageOfWord, stem } from './stemming.ts'
import { stopWordsOf } from './stop-words.ts'
import { isUnspaced, unspacedWords } from './unspaced-words.ts'

export { languageOfText } from './language-of-text.ts'
export { joinPhrasalWords } from './phrasal-words.ts'

/** Changes whenever the same text gives different terms: content indexed before is then indexed again. */
export const TERMS_VERSION = 'terms-1'

/** Assumed for a text without a known language. */
const DEFAULT_LANGUAGE = 'en'

/** Soft hyphens and joiners: invisible characters within words. */
const INVISIBLE = /\u00AD|\u200C|\u200D|\u2060|\uFEFF/g
/** Contraction endings, as in `doesn't` and `server's`. */
const CONTRACTED = /(?<=\p{L})(?:n['’]t|['’](?:s|d|ll|re|ve|m))(?![\p{L}\p{N}])/giu
/** Language names that end in characters which would otherwise be dropped. */
const LANGUAGE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])c\+\+/giu, 'cplusplus'],
  [/(?<![\p{L}\p{N}])([cf])#(?![\p{L}\p{N}])/giu, '$1sharp'],
]

const prepare = (text: string) =>
  LANGUAGE_NAMES.reduce(
    (prepared, [name, word]) => prepared.replaceAll(name, word),
    normalised(text, 'NFKC').replaceAll(INVISIBLE, '').replaceAll(CONTRACTED, ''),
  )

/** Reduces `en-US` and `EN` to `en`. */
export const baseLanguage = (language: string | undefined) =>
  language?.toLowerCase().split(/[-_]/)[0] ?? DEFAULT_LANGUAGE

// Turkish lower-cases I to a dotless ı.
const lowerCase = (word: string, language: string) =>
  language === 'tr' ? word.toLocaleLowerCase('tr') : word.toLowerCase()

const MAX_REMEMBERED_WORDS = 20_000

/** Analyses single words of one language and caches the results: few distinct words make up most of a text. */
function createWordAnalysis(textLanguage: string) {
  const remembered = new Map<string, readonly string[]>()

  function analyse(word: string): readonly string[] {
    const language = languageOfWord(word, textLanguage)
    const small = lowerCase(word, language)
    if (isUnspaced(small)) return unspacedWords(small).map(safeToken)
    if (stopWordsOf(language).has(small)) return []
    return [safeToken(foldMarks(stem(small, language), language))]
  }

  return (word: string, isRemembered: boolean): readonly string[] => {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const terms = analyse(word)
    if (!isRemembered) return terms
    if (remembered.size >= MAX_REMEMBERED_WORDS) remembered.clear()
    remembered.set(word, terms)
    return terms
  }
}

const analyses = new Map<string, ReturnType<typeof createWordAnalysis>>()

function wordAnalysisOf(language: string) {
  const found = analyses.get(language) ?? createWordAnalysis(language)
  analyses.set(language, found)
  return found
}

/**
 * The terms that BM25 compares: the same for a document and for a question if both are given the same language.
 * Each consists of `a` to `z` and digits only, so that PostgreSQL's `simple` configuration keeps it unchanged. A term is
 * repeated as often as the text repeats it; names are included as a whole and in parts.
 *
 * @param language ISO 639-1, with or without a region; English if undefined.
 * @example
 * analyseTerms('How does foo.bar_baz work?', 'en') // ['foo', 'bar', 'baz', 'barbaz', 'foobarbaz', 'work']
 */
export function analyseTerms(text: string, language: string | undefined): string[] {
  return termsOf(text, language, true)
}

/** The terms of a reader's text, without caching any of its words. */
export function analyseQuestionTerms(text: string, language: string | undefined): string[] {
  return termsOf(text, language, false)
}

function termsOf(text: string, language: string | undefined, isRemembered: boolean): string[] {
  const termsOfWord = wordAnalysisOf(baseLanguage(language))
  const terms: string[] = []
  for (const { words, wholes } of namesOf(prepare(text))) {
    for (const word of words) terms.push(...termsOfWord(word, isRemembered))
    for (const whole of wholes) terms.push(...termsOfWord(whole, isRemembered))
  }
  return terms
}
