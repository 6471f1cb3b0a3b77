import { describe, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../../test/fake-llm.ts'
import { createOpenAiCompatibleModel } from '../../../platform/llm/openai-compatible-model.ts'
import type { EarlierTurn, Question } from '../question.ts'
import { followsUp, rewriteQuery } from './rewrite-query.ts'

const KEYS: EarlierTurn = {
  query: 'How do I rotate signing keys?',
  answer: 'Run the command. [1]',
  citedTitles: ['Signing keys'],
}
const WHY: EarlierTurn = { query: 'And why?', answer: 'For safety.', citedTitles: [] }

const question = (query: string) => ({ query }) as Question
const rewrite = async (query: string, earlier: EarlierTurn[], isAlone = false) =>
  rewriteQuery(
    question(query),
    earlier,
    { model: undefined, alone: () => Promise.resolve({ isCovered: isAlone }) },
    new AbortController().signal,
  )

describe('without a model', () => {
  test.for([
    ['And how often?', 'And how often? rotate signing keys'],
    ['How often should I do that?', 'How often should I do that? rotate signing keys'],
    ['What about the old ones?', 'What about the old ones? rotate signing keys'],
    ['Does it work on Windows?', 'Does it work on Windows? rotate signing keys'],
  ])('%s', async ([query = '', rewritten]) => {
    expect(await rewrite(query, [KEYS])).toBe(rewritten)
  })

  test('a follow-up of a follow-up gets the subject from the first question', async () => {
    expect(await rewrite('Is there a command for it?', [KEYS, WHY])).toBe(
      'Is there a command for it? rotate signing keys',
    )
  })

  test('the subject is that of the last question that can be understood by itself, and the verb that of the follow-up', async () => {
    const turn = (query: string): EarlierTurn => ({ query, answer: 'See the manual. [1]', citedTitles: [] })
    const created = turn('How do I create a new branch?')
    expect(await rewrite('and push it?', [created])).toBe('and push it? new branch')
    const pushed = turn('and push it?')
    expect(await rewrite('how do I delete it again', [created, pushed])).toBe(
      'how do I delete it again new branch push',
    )
    const deleted = turn('how do I delete it again')
    expect(await rewrite("what if it's not merged", [created, pushed, deleted])).toBe(
      "what if it's not merged new branch delete",
    )
    // Titles of cited pages name the subject only where the questions do not.
    const cited = { ...created, citedTitles: ['gittutorial(7) Manual Page'] }
    expect(await rewrite('and push it?', [cited])).toBe('and push it? new branch')
    const keys = { ...turn('What are keys?'), citedTitles: ['Signing keys'] }
    expect(await rewrite('and who rotates them?', [keys])).toBe('and who rotates them? keys Signing')
    // "It" is what was created: nothing else is done to it.
    expect(await rewrite('and how long does it take?', [created])).toBe(
      'and how long does it take? create new branch',
    )
  })

  test.for([
    'How do I make a backup?',
    'Where are the logs?',
    'Is there a page that explains how to restore a backup?',
  ])('%s: another subject, unless the pages do not answer it by itself', async (query) => {
    expect(await rewrite(query, [KEYS], true)).toBe(query)
    expect(await rewrite(query, [KEYS], false)).toContain(`${query} rotate`)
  })

  test('what refers to the question before is completed whatever the pages say', async () => {
    expect(await rewrite('And how often?', [KEYS], true)).toBe('And how often? rotate signing keys')
  })

  test('a standalone question and a first question are not rewritten', async () => {
    const query = 'How do I configure the maximum request size of a workspace?'
    expect(await rewrite(query, [KEYS])).toBe(query)
    expect(await rewrite('And how often?', [])).toBe('And how often?')
  })
})

test.for([
  ['Is it possible to export invoices as PDF files?', 'no'],
  ['Is there a way to limit requests per workspace?', 'no'],
  ['How do I install the command line on Windows?', 'no'],
  ['What is the default timeout of a webhook delivery?', 'no'],
  ['How do I make a backup?', 'possibly'],
  ['Tell me about backups', 'possibly'],
  ['Which keys can I use?', 'possibly'],
  ['How do sources work?', 'possibly'],
  ['How do I add another person?', 'possibly'],
  ['How do I turn it off?', 'certainly'],
  ['Why?', 'certainly'],
  ['What about Linux?', 'certainly'],
  ['Can you give an example?', 'certainly'],
  ['How does it work?', 'certainly'],
] as const)('%s points back: %s', ([query, expected]) => {
  expect(followsUp(query)).toBe(expected)
})

describe('with a model', () => {
  const rewriteBy = async (...said: string[]) => {
    await using llm = await startFakeLlm(said.length === 0 ? fakeLlm.refuses(401) : fakeLlm.says(...said))
    const model = createOpenAiCompatibleModel(
      { baseUrl: llm.baseUrl, apiKey: undefined, model: 'fake' },
      { fetch: globalThis.fetch },
    )
    return await rewriteQuery(
      question('And how often?'),
      [KEYS],
      { model, alone: () => Promise.resolve({ isCovered: false }) },
      new AbortController().signal,
    )
  }

  test('the question that the model rewrote is the search query', async () => {
    expect(await rewriteBy('How often do I', ' rotate signing keys?')).toBe(
      'How often do I rotate signing keys?',
    )
  })

  test('a rewrite that is off topic, too long or empty is not used', async () => {
    const byWords = 'And how often? rotate signing keys'
    expect(await rewriteBy('Bananas are yellow fruits.')).toBe(byWords)
    expect(await rewriteBy('Sure!\nHow often do I rotate signing keys?')).toBe(byWords)
    expect(await rewriteBy()).toBe(byWords)
  })
})
