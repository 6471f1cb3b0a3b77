import { describe, expect, test } from 'vitest'
import { analyseTerms } from '../text-terms/text-terms.ts'
import { rankCandidates } from './rank-candidates.ts'
import { rankingFeatures, type RankedBy } from './ranking-features.ts'

const candidate = (terms: string, more: Partial<RankedBy> = {}): RankedBy => ({
  title: 'Page',
  url: 'https://docs.example.com/en/page',
  headingPath: ['Page'],
  terms,
  wordRank: undefined,
  pageWordRank: undefined,
  similarity: undefined,
  sentenceSimilarity: undefined,
  ...more,
})
const featuresOf = (asked: string, ...candidates: RankedBy[]) =>
  rankingFeatures(asked.split(' '), candidates, 'en')

describe('ranking features', () => {
  test('a tenth place counts half of the first, and a passage that was not found counts nothing', () => {
    const [first, later, never] = featuresOf(
      'key',
      candidate('key', { wordRank: 0, pageWordRank: 10 }),
      candidate('key', { wordRank: 10 }),
      candidate('lock'),
    )
    expect([first?.words, first?.page]).toEqual([1, 0.5])
    expect([later?.words, never?.words, never?.page]).toEqual([0.5, 0, 0])
  })

  test('similarities are normalized over the candidates; a passage without sentences counts as one sentence', () => {
    const [near, far, between] = featuresOf(
      'key',
      candidate('a', { similarity: 0.8, sentenceSimilarity: 0.9 }),
      candidate('b', { similarity: 0.2, sentenceSimilarity: 0.1 }),
      candidate('c', { similarity: 0.5 }),
    )
    expect([near?.meaning, far?.meaning, between?.meaning]).toEqual([1, 0, expect.closeTo(0.5)])
    expect(between?.sentence).toBeCloseTo(0.5)
  })

  test('a rare word adds more coverage than a word that all passages contain', () => {
    const others = ['key', 'key', 'key', 'key'].map((terms) => candidate(terms))
    const [rare, common] = featuresOf('rotat key', candidate('rotat'), candidate('key'), ...others)
    expect(rare?.coverage).toBeGreaterThan(0.7)
    expect(common?.coverage).toBeLessThan(0.3)
  })

  test('adjacent words of the question score by how close together they are in the passage', () => {
    const [beside, near, apart, again] = featuresOf(
      'rotat key',
      candidate('rotat key'),
      candidate('rotat every sign key'),
      candidate('rotat a b c d e f g h i key'),
      candidate('rotat a b c d e f g h i rotat key'),
    )
    expect([beside?.proximity, near?.proximity, apart?.proximity]).toEqual([1, expect.closeTo(1 / 3), 0])
    expect(again?.proximity).toBe(1)
  })

  test('only the words of an address that distinguish its page count', () => {
    const at = (path: string) => candidate('x', { url: `https://docs.example.com/en/${path}.html` })
    const [keys, both] = featuresOf(
      analyseTerms('keys en', 'en').join(' '),
      at('guide/keys'),
      at('keys'),
      at('limits'),
      at('billing'),
    )
    expect([keys?.address, both?.address]).toEqual([0.5, 1])
  })

  test('a title scores by the share of its words that the question contains', () => {
    const [title] = featuresOf(
      analyseTerms('a key', 'en').join(' '),
      candidate('x', { title: 'Signing keys' }),
    )
    expect(title?.title).toBe(0.5)
  })

  test('an alphabetical index and a listing of source code count less, whatever is asked', () => {
    const addresses = [
      'genindex.html#K',
      'py-modindex.html',
      'genindex-all.html',
      'genindex/',
      'api/index-all.html',
      '_modules/acme/keys.html',
      'python_modules/keys.html',
      'index.html',
    ]
    const pages = addresses.map((address) => candidate('key', { url: `https://docs.example.com/${address}` }))
    const lasting = (question: string) => featuresOf(question, ...pages).map((features) => features.lasting)
    expect(lasting('key')).toEqual([0, 0, 0, 0, 0, 0, 1, 1])
    expect(lasting('new key')).toEqual([0, 0, 0, 0, 0, 0, 1, 1])
  })

  test('a page that lists changes counts less, unless the question asks for a release', () => {
    const pages = [
      candidate('key', { title: '1.4 Changelog' }),
      candidate('key', { url: 'https://docs.example.com/en/whats-new/1.4.html' }),
      candidate('key', { title: 'Important notes', url: 'https://docs.example.com/changes.html#notes' }),
      candidate('key', { url: 'https://docs.example.com/all#version-1-1-0b3-2017-01-15' }),
      candidate('key', { title: 'Changing keys' }),
      candidate('key', { url: 'https://docs.example.com/changes-of-keys.html#report-2024-01-15' }),
    ]
    const lasting = (question: string) =>
      featuresOf(analyseTerms(question, 'en').join(' '), ...pages).map((features) => features.lasting)
    expect(lasting('rotate a key')).toEqual([0, 0, 0, 0, 1, 1])
    expect(lasting('which release rotates keys')).toEqual([1, 1, 1, 1, 1, 1])
    expect(lasting('keys in 1.4')).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('a section under a heading that pages of a kind share counts as far as the question names its page', () => {
    const section = (title: string, heading: string) =>
      candidate('key', { title, headingPath: [title, heading] })
    const own = (question: string, ...candidates: RankedBy[]) =>
      featuresOf(analyseTerms(question, 'en').join(' '), ...candidates).map((features) => features.own)
    const pages = ['Slack channels', 'Notion', 'Jira'].map((title) => section(title, 'Who sees what'))
    const others = [
      section('Sources', 'Visibility'),
      candidate('key', { title: 'Notion', headingPath: ['Notion'] }),
    ]
    expect(own('who sees a page', ...pages, ...others)).toEqual([0, 0, 0, 1, 1])
    expect(own('who sees pages of Notion', ...pages, ...others)).toEqual([0, 1, 0, 1, 1])
    expect(own('who sees messages in Slack', ...pages, ...others)).toEqual([0.5, 0, 0, 1, 1])
    // Two pages share a heading by chance, and versions of one page share all of theirs.
    const versions = ['1', '2', '3'].map(() => section('Notion', 'Limits'))
    expect(own('limit', ...pages.slice(1), ...versions)).toEqual([1, 1, 1, 1, 1])
  })
})

test('with untrusted vectors the words alone decide the order', () => {
  const candidates = [
    candidate('key rotat', { wordRank: 0, similarity: 0.1, sentenceSimilarity: 0.1 }),
    candidate('weather', { similarity: 0.9, sentenceSimilarity: 0.9 }),
  ]
  const best = (trust: number) => {
    const [byWords, byMeaning] = rankCandidates(['rotat', 'key'], candidates, 'en', trust)
    return (byWords?.score ?? 0) > (byMeaning?.score ?? 0) ? 'words' : 'meaning'
  }
  expect([best(1), best(0.1)]).toEqual(['meaning', 'words'])
})
