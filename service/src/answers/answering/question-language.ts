import { understands } from '../../content/search/search.ts'
import { baseLanguage } from '../../content/text-terms/text-terms.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { OWN_LANGUAGES, type OwnLanguage } from './own-sentences.ts'

const words = (list: string) => new Set(list.split(/\s+/))

type LatinLanguage = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl'

/** Words that ask: they are rare in other languages, and count twice. And small words, which several languages may share. */
const LATIN: Record<LatinLanguage, { asking: ReadonlySet<string>; small: ReadonlySet<string> }> = {
  en: {
    asking: words('how what why when where which who does did should would could'),
    small: words(
      'a an the is are can do i my me we you your to of for from with in on if it this that and or not be there get',
    ),
  },
  de: {
    asking: words('wie was warum wieso wann wo wer welche welcher welches welchen wofür womit woher wohin'),
    small: words(
      'ich mein meine meinen wir man kann der die das den dem des ein eine einen einer ist sind wird werden mit für von zu im am auf nicht und oder es gibt sich muss bei aus mache machen macht können',
    ),
  },
  fr: {
    asking: words('comment pourquoi quand où quel quelle quels quelles combien quoi'),
    small: words(
      'je mon ma mes on nous vous le la les l un une des du d est sont peut puis dans pour avec sur pas ne et ou que qui ce il au aux qu faire fais',
    ),
  },
  es: {
    asking: words('cómo qué cuándo dónde cuál cuáles quién cuánto cuántos'),
    small: words(
      'como que yo mi mis se el la los las un una unos es son puedo puede hay en de del para con por no y o al está lo hago hacer',
    ),
  },
  pt: {
    asking: words('quando onde qual quais quem quanto quantos'),
    small: words(
      'como que por eu meu minha se o a os as um uma é são posso pode há em no na nos do da dos das para com não e ou ao está de faço fazer',
    ),
  },
  it: {
    asking: words('perché quando dove quale quali chi quanto cosa cos'),
    small: words(
      'come che io mio mia si il lo la gli le i un una uno è sono posso può c in nel nella di del della dei per con non e o al da faccio fare',
    ),
  },
  nl: {
    asking: words('hoe wat waarom wanneer waar welke wie'),
    small: words(
      'ik mijn we je kan de het een is zijn wordt worden met voor van naar in op niet en of er te dit dat moet uit bij maak maken',
    ),
  },
}

/** Letters that only one of them writes. */
const LETTERS: readonly (readonly [RegExp, LatinLanguage])[] = [
  [/[ñ¿¡]/, 'es'],
  [/[ãõ]/, 'pt'],
  [/[äöüß]/, 'de'],
  [/[œ]/, 'fr'],
]

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

/** The languages in Latin script whose words a question has most of: several if it is unclear, none if it has none. */
function latinLanguages(text: string): LatinLanguage[] {
  const found = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const scores = Object.entries(LATIN).map(([language, { asking, small }]) => {
    const ofWords = found.reduce((sum, word) => sum + (asking.has(word) ? 2 : Number(small.has(word))), 0)
    const ofLetters = LETTERS.some(([letters, of]) => of === language && letters.test(text.toLowerCase()))
      ? 2
      : 0
    return { language: language as LatinLanguage, score: ofWords + ofLetters }
  })
  const best = Math.max(...scores.map(({ score }) => score))
  return best === 0 ? [] : scores.filter(({ score }) => score === best).map(({ language }) => language)
}

/** The language of a question, if its words or its script leave no doubt. */
export function certainLanguage(query: string): OwnLanguage | undefined {
  const text = query.slice(0, MOST_CHARACTERS)
  const [only, another] = latinLanguages(text)
  return languageOfScript(text) ?? (another === undefined ? only : undefined)
}

/** Whether it is a word of this language that asks, or a small one. */
export function isSmallWord(word: string, language: LatinLanguage): boolean {
  const { asking, small } = LATIN[language]
  const letters = word.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
  return asking.has(letters) || small.has(letters)
}

/**
 * A question in a language that the pages are not in, without that language's words that ask and its small words: only words that both
 * languages share can be found ("Wie mache ich ein Backup?"). The same text if its language is unclear, or if nothing would be left.
 *
 * @param isKnown - whether the pages, or the model that compares meanings, know a language
 */
export function withoutForeignWords(query: string, isKnown: (language: string) => boolean): string {
  const [only, another] = latinLanguages(query.slice(0, MOST_CHARACTERS))
  if (only === undefined || another !== undefined || isKnown(only)) return query
  const left = query.split(/\s+/).filter((word) => !isSmallWord(word, only))
  return left.some((word) => /[\p{L}\p{N}]/u.test(word)) ? left.join(' ') : query
}

/**
 * What is searched for: of a question in a language that neither pages nor model know, the words that they may share with it. The pages of
 * a base without a language count as English: none of them says its own.
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
}

/**
 * The language for what the service itself says in an answer: that of the question. If the question is too short to tell, or could be of
 * several languages, the reader's own decides (Accept-Language), then that of the knowledge base, then English.
 *
 * @example
 * languageOfQuestion('Wie mache ich ein Backup?', { acceptLanguage: 'en-US', base: undefined }) // 'de'
 */
export function languageOfQuestion(query: string, { acceptLanguage, base }: LanguageHints): OwnLanguage {
  const text = query.slice(0, MOST_CHARACTERS)
  const ofScript = languageOfScript(text)
  if (ofScript !== undefined) return ofScript
  const possible = latinLanguages(text)
  const [only, another] = possible
  if (only !== undefined && another === undefined) return only
  const hints = [...(acceptLanguage ?? '').slice(0, 300).split(','), base ?? '']
    .map(ownOf)
    .filter((language) => language !== undefined)
  const isPossible = (language: OwnLanguage) =>
    possible.length === 0 || (possible as string[]).includes(language)
  return hints.find(isPossible) ?? (isPossible('en') ? 'en' : (only ?? 'en'))
}
