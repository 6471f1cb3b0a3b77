import { expect, test } from 'vitest'
import { answerSentences } from './answer-sentences.ts'
import {
  measureEvidence,
  measureGoldAnswer,
  measureGoldWords,
  measureGroundedness,
  ungroundedSentences,
} from './answers.ts'
import { answerOf, foundPage, observe } from './observe.ts'

const QUOTES = `The documentation says, word for word:

> Keys are rotated every day, e.g. at midnight. They are never shown. [1]

> Run \`acme keys rotate\`, see [the page](https://docs.example.com/keys). [2]
>
> \`\`\`
> acme keys rotate
> \`\`\``

const cited = (index: number, excerpt: string, passage = excerpt) => ({
  ...foundPage('a'),
  index,
  excerpt,
  passage,
})

test('an answer is split into the sentences of its quotes, with the citations of each', () => {
  expect(answerSentences(QUOTES)).toEqual([
    { text: 'Keys are rotated every day, e.g. at midnight.', citations: [1] },
    { text: 'They are never shown.', citations: [1] },
    { text: 'Run `acme keys rotate`, see the page.', citations: [2] },
    { text: 'acme keys rotate', citations: [2] },
  ])
  expect(answerSentences('Daily [1]. At midnight [2].')).toMatchObject([
    { text: 'Daily', citations: [1, 2] },
    { text: 'At midnight', citations: [1, 2] },
  ])
  expect(answerSentences('> See [[#12] keys](https://acme.example/12) and [all](b.html). [1]')).toEqual([
    { text: 'See [#12] keys and all.', citations: [1] },
  ])
})

test('the gold answer counts if it is in a short answer that was not refused', () => {
  const given = (gold: string, answer = answerOf({ text: '> It was signed on 4 July, 1776. [1]' })) =>
    measureGoldAnswer([observe({ question: { fields: { answers: ['1775', gold] } }, answer })]).gold_answer
  expect(given('4 July 1776')).toBe(1)
  expect(given('July 177')).toBe(0)
  expect(given('')).toBe(0)
  expect(given('1776', answerOf({ text: '> 1776. [1]', isCovered: false }))).toBe(0)
  expect(given('1776', answerOf({ text: '> In 1776. One. Two. Three. [1]' }))).toBe(0)
})

test('evidence is compared by words, and a refusal has none in common', () => {
  const fields = { evidence_sentences: ['Keys are rotated daily .', 'Another sentence of it .'] }
  const answer = answerOf({ text: '> Keys are rotated daily. [1]\n\n> Nothing else here shared. [1]' })
  expect(measureEvidence([observe({ question: { fields }, answer })])).toEqual({
    evidence_overlap: 0.5,
    evidence_found: 1,
  })
  expect(
    measureEvidence([observe({ question: { fields }, answer: { ...answer, isCovered: false } })]),
  ).toEqual({ evidence_overlap: 0, evidence_found: 0 })
})

test('gold words are counted, and yes or no only if the answer begins with one', () => {
  const observation = (text: string) =>
    observe({ question: { fields: { answers: ['up to 100 TB'], yes_no: 'No' } }, answer: answerOf({ text }) })
  expect(measureGoldWords([observation('> At most 100 TB. [1]')])).toEqual({ gold_words: 0.5 })
  expect(measureGoldWords([observation('No [1].'), observation('Yes [1].')]).yes_no).toBe(0.5)
})

test('a sentence is grounded in an excerpt that it cites, regardless of markup', () => {
  const answer = answerOf({
    text: QUOTES,
    cited: [
      cited(
        1,
        '… Keys are rotated every day, e.g. at midnight. …',
        'Keys are rotated every day, e.g. at midnight. They are never shown.',
      ),
      cited(2, 'Run acme keys rotate, see the page. acme keys rotate They are never shown.'),
    ],
  })
  expect(measureGroundedness([observe({ answer })])).toEqual({ grounded: 3 / 4, in_passage: 1 })
  expect(ungroundedSentences([observe({ answer })])).toMatchObject([{ sentence: 'They are never shown.' }])
})

test('a link in quoted code matches the same link in the excerpt', () => {
  const link = 'Get [the data](https://data.example.com/all) first.'
  const answer = answerOf({ text: `> \`\`\`\n> ${link}\n> \`\`\`\n>\n> [1]`, cited: [cited(1, link)] })
  expect(measureGroundedness([observe({ answer })])).toEqual({ grounded: 1, in_passage: 1 })
})

test('a quote without its number is not grounded', () => {
  const answer = answerOf({ text: '> Keys are rotated.', cited: [cited(1, 'Keys are rotated.')] })
  expect(measureGroundedness([observe({ answer })]).grounded).toBe(0)
})

test('an ellipsis of the sentence itself is no gap', () => {
  const text = 'It becomes EXISTS (SELECT 1 FROM … WHERE …).'
  const answer = answerOf({ text: `> ${text} [1]`, cited: [cited(1, `${text} And more …`)] })
  expect(measureGroundedness([observe({ answer })]).grounded).toBe(1)
})

test('a sentence is not matched across an ellipsis of an excerpt', () => {
  const answer = answerOf({
    text: '> Keys are never rotated. [1]',
    cited: [cited(1, 'Keys are … never rotated.')],
  })
  expect(measureGroundedness([observe({ answer })]).grounded).toBe(0)
})
