import { describe, expect, test } from 'vitest'
import type { Passage } from '../../../content/search/search.ts'
import { chooseEvidence } from './choose-evidence.ts'

const passage = (page: string, ordinal: number, more: Partial<Passage> = {}): Passage => ({
  chunkId: `${page}${ordinal}`,
  documentId: page,
  sourceId: 'source',
  ordinal,
  title: page,
  url: `https://docs.test/${page}`,
  anchor: undefined,
  places: [],
  headingPath: [],
  text: 'Signing keys rotate daily.',
  versionLabel: undefined,
  score: 1,
  similarity: 0.7,
  sentenceSimilarity: undefined,
  coverage: 1,
  lexicalScore: 1,
  ...more,
})

const chosen = (passages: Passage[], tokensEach = 100) =>
  chooseEvidence(
    'How often do signing keys rotate?',
    { passages, pages: 100 },
    { countTokens: () => tokensEach },
  ).evidence.map(({ passages: run }) => run.map(({ chunkId }) => chunkId))

describe('evidence', () => {
  test('joins neighbouring passages of a page in page order, at the rank of the best one', () => {
    expect(
      chosen([passage('a', 5), passage('b', 1), passage('a', 4), passage('a', 9), passage('a', 6)]),
    ).toEqual([['a4', 'a5', 'a6'], ['b1'], ['a9']])
  })

  test('contains at most four passages of a page, and as many as fit the token budget', () => {
    expect(chosen([0, 2, 4, 6, 8].map((ordinal) => passage('a', ordinal)))).toHaveLength(4)
    const pages = 'abcdefgh'.split('').map((page) => passage(page, 0))
    expect(chosen(pages, 1_000)).toEqual([['a0'], ['b0'], ['c0'], ['d0']])
    expect(chosen(pages, 9_000)).toEqual([['a0']])
  })
})

describe('the gate', () => {
  const covers = (passages: Passage[], query = 'How often do signing keys rotate?', pages = 100) => {
    const { coverage } = chooseEvidence(query, { passages, pages }, { countTokens: () => 1 })
    return [coverage.isCovered, coverage.isNear]
  }

  test('opens for passages close in meaning and words, with or without vectors', () => {
    expect(covers([passage('a', 0)])).toEqual([true, true])
    expect(covers([passage('a', 0, { similarity: undefined })])).toEqual([true, true])
  })

  test('is closed for unrelated passages, for none, and for a question without content words', () => {
    const other = { text: 'Bananas are yellow.', similarity: 0.15, coverage: 0 }
    expect(covers([passage('a', 0, other)])).toEqual([false, false])
    expect(covers([passage('a', 0, { ...other, similarity: undefined })])).toEqual([false, false])
    expect(covers([])).toEqual([false, false])
    expect(covers([passage('a', 0, { similarity: 0.4, coverage: 0 })], 'How do I?')[0]).toBe(false)
  })

  test('asks more of passages that were found among many pages', () => {
    const near = {
      headingPath: [],
      title: 'Other',
      similarity: 0.42,
      sentenceSimilarity: 0.48,
      coverage: 0.55,
    }
    const query = 'How often do signing keys rotate?'
    expect(covers([passage('a', 0, near)], query, 10)[0]).toBe(true)
    expect(covers([passage('a', 0, near)], query, 2_500)[0]).toBe(false)
  })
})
