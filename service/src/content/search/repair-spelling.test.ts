import { afterAll, beforeAll, expect, test } from 'vitest'
import { openModel } from '../../../test/open-model.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { analyseTerms } from '../text-terms/text-terms.ts'
import { repairSpelling } from './repair-spelling.ts'

let model: Embedder

beforeAll(async () => {
  model = await openModel()
})
afterAll(() => model.close())

const repaired = (query: string, ...texts: string[]) =>
  repairSpelling(
    query,
    texts.map((text) => ({ text, terms: analyseTerms(text, 'en').join(' ') })),
    { knowsWord: (word) => model.knowsWord?.(word) ?? true, language: 'en' },
  )?.query

const FILES = [
  'Encrypt the file with a key. An encrypted file cannot be uploaded.',
  'Render a template, then upload the rendered file.',
  'Keys encrypt each file. Multiprocessing is for workers that render. Upload them.',
  'Multiprocessing: each of the workers has its own file.',
]

test.each([
  ['encrpyt the flie', 'encrypt the file'],
  ['how to uplaod it', 'how to upload it'],
  ['redner a template', 'render a template'],
  ['can multiprocesing workers share', 'can multiprocessing workers share'],
])('%s', (query, expected) => {
  expect(repaired(query, ...FILES)).toBe(expected)
})

test('words that the model knows, names, code and far words stay as they are', () => {
  const texts = ['A chat in the help pages.', 'Chat, help and a render.', 'The file of a chat: help.']
  expect(repaired('helm chart for the fill', ...texts)).toBeUndefined()
  expect(repaired('flie.name --flie flie() foo/flie a@flie.com', ...texts, ...FILES)).toBeUndefined()
  expect(repaired('kubectl xylophonist', ...texts)).toBeUndefined()
})

test('a spelling that only one passage has is not trusted, and one that a passage has is not repaired', () => {
  expect(repaired('upsrt a row', 'An upsert of rows.', 'Other rows.')).toBeUndefined()
  expect(repaired('upsrt a row', 'An upsert.', 'Upserts.', 'The upsrt command.')).toBeUndefined()
  expect(repaired('upsrt a row', 'An upsert.', 'Upsert rows.')).toBe('upsert a row')
})

test('one passage is enough for a word that the model knows, if a letter was left out or two were swapped', () => {
  expect(repaired('how to uplaod it', 'Upload a file.', 'Other files.')).toBe('how to upload it')
  expect(repaired('forgotten pasword', 'Your password.', 'Other files.')).toBe('forgotten password')
  expect(repaired('does it support cron', 'Rotate the crop.', 'Other files.')).toBeUndefined()
})
