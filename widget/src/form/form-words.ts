/** What the form says. */
export interface FormWords {
  looking: string
  sendNow: string
  heading: string
  sources: string
  solved: string
  send: string
  continue: string
  thanks: string
  sendAnyway: string
  newTab: string
}

const NAMES = [
  'looking',
  'sendNow',
  'heading',
  'sources',
  'solved',
  'send',
  'continue',
  'thanks',
  'sendAnyway',
  'newTab',
] as const satisfies readonly (keyof FormWords)[]

const ENGLISH = `Looking for an answer
Send without waiting
Does this answer your question?
Sources
This solved it
Send my request
Continue
Glad it helped. Your request was not sent.
Send it anyway
opens in a new tab`

const LANGUAGES = 'en de fr es pt it nl ja ko zh ar he'.split(' ')

/**
 * The language of the form: the first that is one of ours.
 *
 * @param wanted language tags, the most wanted first; empty ones are passed over
 */
export const formLanguage = (wanted: readonly string[]): string =>
  wanted.map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '').find((name) => LANGUAGES.includes(name)) ??
  'en'

/** @param lines one text in each line, in the order of `NAMES` */
export function formWords(lines: string = ENGLISH): FormWords {
  const texts = lines.split('\n')
  return Object.fromEntries(NAMES.map((name, at) => [name, texts[at]])) as unknown as FormWords
}
