import { words as english, type Dictionary, type Words } from './en.ts'

export type Say = (key: keyof Dictionary, values?: Record<string, string | number>) => string

/** Returns what says a text in a language. `n` decides between the forms of a text that has several. */
export function createSay(language: string, dictionary: Partial<Dictionary>): Say {
  // Made when a text needs them: each takes milliseconds, which the first screen does not have.
  let plurals: Intl.PluralRules | undefined
  let numbers: Intl.NumberFormat | undefined
  return (key, values = {}) => {
    const forms: Words = dictionary[key] ?? english[key]
    const count = Number(values['n'] ?? 0)
    const text =
      typeof forms === 'string'
        ? forms
        : ((count === 0 ? forms.zero : undefined) ??
          forms[(plurals ??= new Intl.PluralRules(language)).select(count)] ??
          forms.other)
    return text.replaceAll(/\{(\w+)\}/g, (whole: string, name: string) => {
      const value = values[name] ?? whole
      return typeof value === 'number' ? (numbers ??= new Intl.NumberFormat(language)).format(value) : value
    })
  }
}

/** The languages that have a dictionary. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ja', 'ko', 'zh', 'ar', 'he'] as const

/** The first language that there is a dictionary for: of the option, the page, the browser. English if there is none. */
export function chooseLanguage(...tags: string[]): (typeof LANGUAGES)[number] {
  for (const tag of tags) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language)
    if (found !== undefined) return found
  }
  return 'en'
}

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: string): boolean => language === 'ar' || language === 'he'
