import { expect, test } from 'vitest'
import { percentile, percentilesOf } from './latency.ts'
import { answerOf, foundPage, observe } from './observe.ts'
import { measureGroups, measureSearch, measureThreads, measureVersions } from './retrieval.ts'
import { measureSpans } from './spans.ts'
import { holdsWords, wordsShared } from './words.ts'

test('pages are measured by the search results; in a thread those of the first frame come first', () => {
  const observation = observe({
    results: [foundPage('b'), foundPage('a')],
    answer: answerOf({ found: [foundPage('c'), foundPage('c'), foundPage('d')] }),
  })
  expect(measureSearch([observation])).toMatchObject({ mrr10: 1 / 2, hit1: 0, hit5: 1 })
  expect(measureThreads([observation])).toMatchObject({ mrr10: 1 / 4 })
})

test('results and citations from outside the requested groups are counted', () => {
  const observation = observe({
    groups: ['git'],
    results: [foundPage('a', 'git'), foundPage('b', 'sqlite')],
    answer: answerOf({ found: [foundPage('c', 'httpd')], cited: [] }),
  })
  expect(measureGroups([observation])).toEqual({ outside_group: 2 })
  expect(measureGroups([{ ...observation, groups: undefined }])).toEqual({ outside_group: 0 })
})

test('a version is right if its page is first; a value if it is not that of another version', () => {
  const asked = (text: string, label: string) =>
    observe({
      question: { fields: { answers: ['`true`'], other_version_values: ['`{ polyfill: true }`'] } },
      results: [foundPage('a', 'v3', label)],
      answer: answerOf({ text }),
    })
  const measure = measureVersions(() => 'v3')
  expect(measure([asked('In v3: **Default:** `true` [1]', 'v3')])).toEqual({
    version_first: 1,
    right_value: 1,
    names_version: 1,
  })
  expect(measure([asked('**Default:** `{ polyfill: true }` [1]', 'v4')])).toEqual({
    version_first: 0,
    right_value: 0,
    names_version: 0,
  })
})

test('recall of spans counts letters, however the passage was rendered', () => {
  const documents = new Map([['doc', 'One two. **Three four.** Five six.']])
  const fields = { corpus_id: 'doc', spans: [{ content: '**Three four.** Five six.' }] }
  const recall = (passages: string[], page = 'doc') =>
    measureSpans(documents)([
      observe({
        question: { fields },
        answer: answerOf({ passages, found: passages.map(() => foundPage(page)) }),
      }),
    ]).span_recall
  expect(recall(['Three four. Five six.'])).toBe(1)
  expect(recall(['One two. Three four.'])).toBe(9 / 16)
  expect(recall(['# A heading that was added\n\nThree four.'])).toBe(9 / 16)
  expect(recall(['Three four. Five six.'], 'another')).toBe(0)
  expect(recall(['1', '2', '3', '4', '5', 'Three four.'])).toBe(0)
})

test('percentiles are measured values', () => {
  const hundred = Array.from({ length: 100 }, (_, place) => 100 - place)
  expect(percentilesOf(hundred)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 })
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentilesOf([])).toBeUndefined()
})

test('whole words are compared', () => {
  expect(holdsWords('The Ångström, 1°', 'ångström 1')).toBe(true)
  expect(holdsWords('category', 'cat')).toBe(false)
  expect(wordsShared('a a b', 'a b c')).toBeCloseTo(2 / 3)
  expect(wordsShared('', 'a')).toBe(0)
})
