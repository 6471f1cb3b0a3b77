import { expect, test } from 'vitest'
import { words as english, type Dictionary, type Words } from './en.ts'
import { chooseLanguage, createSay, LANGUAGES } from './say.ts'

const formsOf = (words: Words): string[] => (typeof words === 'string' ? [words] : Object.values(words))

const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

/** Names that a form may leave out: "one page" needs no number. */
const namesOf = (words: Words) => namesIn(typeof words === 'string' ? words : words.other)

const others = LANGUAGES.filter((language) => language !== 'en')

const dictionaryOf = async (language: string) =>
  ((await import(`./${language}.ts`)) as { words: Dictionary }).words

test.each(others)('%s has every text, with the same names in braces', async (language) => {
  const words = await dictionaryOf(language)
  expect(Object.keys(words)).toEqual(Object.keys(english))
  for (const [key, texts] of Object.entries(words)) {
    expect([key, namesOf(texts)]).toEqual([key, namesOf(english[key as keyof Dictionary])])
    for (const form of formsOf(texts)) {
      expect([key, form.trim()]).not.toEqual([key, ''])
      expect(namesIn(form).every((name) => namesOf(texts).includes(name))).toBe(true)
    }
  }
})

test.each(LANGUAGES)('%s has a form for each number that it tells apart', async (language) => {
  const words: Dictionary = language === 'en' ? english : await dictionaryOf(language)
  const plurals = new Intl.PluralRules(language)
  const categories = new Set(Array.from({ length: 200 }, (_, number) => plurals.select(number + 1)))
  for (const texts of Object.values<Words>(words).filter((texts) => typeof texts !== 'string'))
    for (const category of categories) expect(texts[category] ?? texts.other).toMatch(/\S/)
  const say = createSay(language, words)
  // Many numbers are written out differently from one.
  expect(say('results', { n: 5 })).not.toBe(say('results', { n: 0 }))
})

test('numbers are written as the language writes them, and texts are filled in once', () => {
  expect(createSay('de', {})('results', { n: 1_234 })).toBe('1.234 results')
  expect(createSay('en', {})('askThis', { query: '{query} {n}' })).toBe('Ask: {query} {n}')
  expect(createSay('en', {})('answerComplete', { n: 1 })).toBe('The answer is complete, with 1 source.')
})

test('the language is that of the option, then of the page, then of the browser, else English', () => {
  expect(chooseLanguage('', 'de-AT', 'fr')).toBe('de')
  expect(chooseLanguage('xx', '', 'pt-BR')).toBe('pt')
  expect(chooseLanguage('', 'eo')).toBe('en')
})
