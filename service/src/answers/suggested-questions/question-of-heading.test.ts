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
])('a heading that is a question is used unchanged: %s', (heading, question) => {
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
])('a question heading that depends on its page is not used: %s', (heading) => {
  expect(questionOfHeading(heading, recase)).toBeUndefined()
})

test('questions about pages in other languages use a sentence frame that fits any title', () => {
  expect(questionInLanguage('Schlüssel erneuern', 'de', recase)?.text).toBe(
    'Was steht in der Dokumentation über „Schlüssel erneuern“?',
  )
  expect(questionInLanguage('Inhaltsverzeichnis', 'de', recase)).toBeUndefined()
  expect(questionInLanguage('Schlüssel erneuern', '', recase)).toBeUndefined()
})
