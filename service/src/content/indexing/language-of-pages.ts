import { plainText } from '../parsing/parsing.ts'
import { baseLanguage, languageOfText } from '../text-terms/text-terms.ts'

/** A page of a base, as far as it tells the language of all. */
export interface SampledPage {
  /** Its own (`<html lang>`, front matter and the like). */
  language: string | undefined
  /** Its beginning, as Markdown; undefined if its own language is enough. */
  text: string | undefined
}

/** Of the pages that tell a language, so many have to tell the same; fewer end what was found before. */
const CLEAR_SHARE = 0.7
const KEPT_SHARE = 0.5

/** Pages without a language (code, short ones) may not be many more than those with one. */
const LEAST_TOLD = 0.25

/** The language of pages that say nothing else: that of a base without a language. */
const DEFAULT = 'en'

/** Other names of the same language, and tags that name none. */
const CALLED: Readonly<Record<string, string | undefined>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id' }
const NO_LANGUAGE = new Set(['und', 'mul', 'zxx', 'x', 'c'])

/** What a page says of itself, unless that is English: templates say so whatever the text is in. */
export function languageOfPage({ language, text }: SampledPage): string | undefined {
  const own = language === undefined ? undefined : baseLanguage(language)
  const declared = own === undefined || NO_LANGUAGE.has(own) ? undefined : (CALLED[own] ?? own)
  if (declared !== undefined && declared !== DEFAULT) return declared
  return languageOfText(plainText(text ?? '')) ?? declared
}

/**
 * The language of a base whose owner chose none. Undefined if its pages are in English, which is how a base without a language is read, or
 * if they are mixed or tell nothing.
 *
 * @param languages what each page tells (`languageOfPage`)
 * @param found what was found before: it stays as long as half of the pages say so, so that it does not change to and fro
 */
export function languageOfPages(
  languages: readonly (string | undefined)[],
  found: string | undefined,
): string | undefined {
  const told = languages.filter((language) => language !== undefined)
  if (told.length === 0) return found
  const shareOf = (language: string) => told.filter((each) => each === language).length / told.length
  if (found !== undefined && shareOf(found) >= KEPT_SHARE) return found
  if (told.length < LEAST_TOLD * languages.length) return undefined
  const clear = told.find((language) => shareOf(language) >= CLEAR_SHARE)
  return clear === DEFAULT ? undefined : clear
}
