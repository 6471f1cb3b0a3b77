import { expect, test } from 'vitest'
import { questionOfHeading } from './question-of-heading.ts'
import { questionInLanguage } from './question-in-language.ts'
import { createRecase } from './recase.ts'

const recase = createRecase('You install the client and the file format of an application.')

test.each([
  ['How do I install the client?', 'How do I install the client?'],
  ['1.2. What Is An Application File Format?', 'What is an application file format?'],
  ['Can I use it… ¶', undefined],
  ['Was kostet das für Schüler?', 'Was kostet das für Schüler?'],
  ['キーを更新するには？', 'キーを更新するには？'],
])('a heading that is a question is taken as it is: %s', (heading, question) => {
  expect(questionOfHeading(heading, recase)?.text).toBe(question)
})

test.each([
  'What does this do?',
  'Why is it so slow?',
  'Need help?',
  'Questions?',
  'Why?',
  'What now?',
  'Ready to go?',
  'See it? Want it?',
])('a heading that needs its page is not: %s', (heading) => {
  expect(questionOfHeading(heading, recase)).toBeUndefined()
})

test('pages in other languages are asked about in a sentence that any title fits into', () => {
  expect(questionInLanguage('Schlüssel erneuern', 'de', recase)?.text).toBe(
    'Was steht in der Dokumentation über „Schlüssel erneuern“?',
  )
  expect(questionInLanguage('Inhaltsverzeichnis', 'de', recase)).toBeUndefined()
  expect(questionInLanguage('Schlüssel erneuern', '', recase)).toBeUndefined()
})
