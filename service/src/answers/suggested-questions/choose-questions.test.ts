import { expect, test } from 'vitest'
import { chooseQuestions } from './choose-questions.ts'
import { productName } from './product-name.ts'
import { writeCandidates, type AskedDocument } from './write-candidates.ts'

const page = (documentId: string, title: string, sourceId = 'site'): AskedDocument => ({
  documentId,
  sourceId,
  groupId: undefined,
  title,
  url: `https://docs.example.com/${documentId}`,
  language: 'en',
  chunkCount: 5,
})

const candidates = (documents: AskedDocument[]) =>
  writeCandidates({ baseName: 'Acme docs', language: undefined, documents, headings: [], prose: '' })

test('only questions for which search ranks their own page first are chosen', async () => {
  const offered = candidates([
    page('a', 'Rotating keys'),
    page('b', 'Installing plugins'),
    page('c', 'Deploying workers'),
  ])
  const found: Record<string, string> = { 'How do I rotate keys?': 'a', 'How do I install plugins?': 'a' }

  const chosen = await chooseQuestions(offered, 4, (question) => Promise.resolve(found[question]))

  expect(chosen).toEqual([{ question: 'How do I rotate keys?', documentId: 'a' }])
})

test('different subjects are preferred, and the choice is deterministic', async () => {
  const offered = candidates([
    page('a', 'Rotating keys'),
    page('b', 'Rotating keys of workers'),
    page('c', 'Deleting keys'),
    page('d', 'Deploying workers'),
  ])
  const byQuestion = new Map(offered.map((one) => [one.text, one.documents[0]?.documentId]))
  const choose = (list: typeof offered) =>
    chooseQuestions(list, 2, (question) => Promise.resolve(byQuestion.get(question)))

  const chosen = await choose(offered)
  expect(chosen.map((one) => one.question)).toContain('How do I deploy workers?')
  expect(await choose(offered.toReversed())).toEqual(chosen)
})

test('two pages of one source with the same title give no question; one title in two versions gives one', () => {
  expect(candidates([page('a', 'Rotating keys'), page('b', 'Rotating keys')])).toEqual([])
  const versions = candidates([page('a', 'Rotating keys', 'v1'), page('b', 'Rotating keys', 'v2')])
  expect(versions.map((one) => one.documents.length)).toEqual([2])
})

test('a heading asks about the page that it is on, and about none if that page is not among those that were read', () => {
  const heading = 'How long do keys live?'
  const headings = ['a', 'too far down'].map((documentId) => ({ documentId, heading }))
  const offered = writeCandidates({
    baseName: 'Acme docs',
    language: undefined,
    documents: [page('a', 'Rotating keys')],
    headings,
    prose: '',
  })
  const asked = offered.filter(({ text }) => text === heading)
  expect(asked.map(({ documents }) => documents.map(({ documentId }) => documentId))).toEqual([['a']])
})

test('the product is the name of the base if its pages mention it', () => {
  const prose = 'Acme rotates keys. With Acme, keys are safe. The Acme console shows them.'
  expect(productName('ACME documentation', prose)).toBe('Acme')
  expect(productName('My test base', prose)).toBeUndefined()
  expect(productName('Docs', prose)).toBeUndefined()
  expect(productName('C++ (internal)', 'C++ C++ C++')).toBeUndefined()
})
