import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'

type Stemmer = (word: string) => string

/** Removes word endings, so that `configure` finds `configuring`. Words of a language that is not listed are kept whole. */
const OF_LANGUAGE: Readonly<Record<string, Stemmer>> = {
  ar: arabic,
  bg: bulgarian,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  ga: irish,
  hi: hindi,
  hu: hungarian,
  hy: armenian,
  id: indonesian,
  it: italian,
  lt: lithuanian,
  nb: norwegian,
  ne: nepali,
  nl: dutch,
  nn: norwegian,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sr: serbian,
  sv: swedish,
  ta: tamil,
  tr: turkish,
  uk: ukrainian,
}

/** Scripts other than Latin, the languages written in them, and which of those to use if the text is in another language. */
const SCRIPTS = [
  {
    letters: /\p{Script=Cyrillic}/u,
    languages: ['ru', 'uk', 'bg', 'sr', 'be', 'mk', 'kk', 'mn'],
    usual: 'ru',
  },
  { letters: /\p{Script=Greek}/u, languages: ['el'], usual: 'el' },
  { letters: /\p{Script=Arabic}/u, languages: ['ar', 'fa', 'ur', 'ps', 'ckb'], usual: 'ar' },
  { letters: /\p{Script=Devanagari}/u, languages: ['hi', 'ne', 'mr'], usual: 'hi' },
  { letters: /\p{Script=Armenian}/u, languages: ['hy'], usual: 'hy' },
  { letters: /\p{Script=Tamil}/u, languages: ['ta'], usual: 'ta' },
]

/** Languages not written in Latin letters: Latin words in their texts are mostly English. */
const NOT_LATIN = new Set([
  ...SCRIPTS.flatMap(({ languages }) => languages).filter((language) => language !== 'sr'),
  'zh',
  'ja',
  'ko',
  'th',
  'lo',
  'km',
  'my',
  'he',
])

/** The language whose rules apply to a word: its script decides first, then the text's language. */
export function languageOfWord(word: string, textLanguage: string): string {
  const script = SCRIPTS.find(({ letters }) => letters.test(word))
  if (script !== undefined) return script.languages.includes(textLanguage) ? textLanguage : script.usual
  return NOT_LATIN.has(textLanguage) ? 'en' : textLanguage
}

/** The word without its endings; unchanged if nothing would be left of it. */
export function stem(word: string, language: string): string {
  const stemmed = OF_LANGUAGE[language]?.(word) ?? word
  return stemmed === '' ? word : stemmed
}
