import { describe, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeBehaviour } from '../../../test/fake-llm.ts'
import type { Passage } from '../../content/search/search.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { createOpenAiCompatibleModel } from '../../platform/llm/openai-compatible-model.ts'
import {
  createAnswering,
  type AnswerEvent,
  type AnsweringDeps,
  type AnsweredTurn,
  type Question,
} from './answering.ts'

const passage = (number: number, text: string, more: Partial<Passage> = {}): Passage => ({
  chunkId: `chunk-${number}`,
  documentId: `document-${number}`,
  sourceId: 'source',
  ordinal: 0,
  title: `Page ${number}`,
  url: `https://docs.test/${number}`,
  anchor: undefined,
  headingPath: [],
  text,
  versionLabel: undefined,
  score: 1 / number,
  similarity: 0.8 - number / 10,
  lexicalScore: 5,
  ...more,
})

const KEYS = passage(1, 'Signing keys rotate daily. Old keys are accepted for 48 hours.', {
  title: 'Signing keys',
  anchor: 'rotation',
  headingPath: ['Rotation'],
  versionLabel: 'v7',
})
const LIMITS = passage(2, 'A workspace may send 1,000 requests per minute.', { title: 'Rate limits' })
const BILLING = passage(3, 'Invoices are sent on the first day of a month.', { title: 'Billing' })
const STRANGE = [
  passage(1, 'Bananas are yellow.', { similarity: 0.1 }),
  passage(2, 'Whales sing.', { similarity: 0.05 }),
]

const QUESTION: Question = {
  knowledgeBaseId: 'base',
  knowledgeBaseName: 'Acme docs',
  query: 'How often do signing keys rotate?',
  threadId: undefined,
  groupIds: undefined,
  includeRestricted: false,
  topK: 15,
  voice: { persona: 'A patient engineer', tone: undefined, standingInstructions: undefined },
  asker: { surface: 'api', clientKeyId: 'key', userRef: undefined },
}

const IDS = { threadId: 'thread', messageId: 'message' }

/** A world with these passages; what was stored, given back, searched for and reported is kept. */
function world(passages: Passage[], more: Partial<AnsweringDeps> = {}) {
  const stored: AnsweredTurn[] = []
  const seen = { givenBack: 0, queries: [] as string[], reported: [] as string[] }
  const deps: AnsweringDeps = {
    admit: async () => ({
      giveBack: async () => {
        seen.givenBack += 1
      },
    }),
    search: async ({ query }) => {
      seen.queries.push(query)
      return { passages, mode: 'hybrid' }
    },
    history: async () => [],
    storeTurn: async (turn) => {
      stored.push(structuredClone(turn))
      return IDS
    },
    report: (_fault, doing) => seen.reported.push(doing),
    embedder: undefined,
    model: undefined,
    countTokens: (text) => text.length / 4,
    newFence: () => '=====fence=====',
    now: () => performance.now(),
    ...more,
  }
  return { ...createAnswering(deps), stored, seen }
}

const modelAt = (baseUrl: string) =>
  createOpenAiCompatibleModel(
    { baseUrl, apiKey: undefined, model: 'fake' },
    { fetch: globalThis.fetch, random: () => 0 },
  )

async function eventsOf(stream: AsyncIterable<AnswerEvent>) {
  const events: AnswerEvent[] = []
  for await (const event of stream) events.push(event)
  const last = events.at(-1)
  const streamed = events.map((event) => (event.kind === 'delta' ? event.text : '')).join('')
  const citations = events[0]?.kind === 'found' ? events[0].citations : []
  return { events, streamed, found: citations, last, kinds: [...new Set(events.map(({ kind }) => kind))] }
}

const ask = async (answering: ReturnType<typeof world>, more: Partial<Question> = {}) =>
  eventsOf(answering.answerQuestion({ ...QUESTION, ...more }, new AbortController().signal))

/** Asks a model that behaves so. */
async function askModel(
  behaviour: FakeBehaviour,
  passages = [KEYS, LIMITS, BILLING],
  more: Partial<AnsweringDeps> = {},
) {
  await using llm = await startFakeLlm(behaviour)
  const answering = world(passages, { model: modelAt(llm.baseUrl), ...more })
  const asked = await ask(answering)
  return { ...asked, ...answering, calls: llm.requests }
}

describe('without a model', () => {
  test('a covered question is answered with quotes and their citations, in order found, deltas, finished', async () => {
    const answering = world([KEYS, LIMITS, BILLING])
    const { kinds, found, streamed, last } = await ask(answering)
    expect(kinds).toEqual(['found', 'delta', 'finished'])
    expect(found.map(({ index, title }) => [index, title])).toEqual([
      [1, 'Signing keys'],
      [2, 'Rate limits'],
      [3, 'Billing'],
    ])
    expect(streamed).toBe('The documentation says, word for word:\n\n> Signing keys rotate daily. [1]')
    expect(last).toMatchObject({ kind: 'finished', covered: true, rewritten: undefined, ids: IDS })
    expect(last?.kind === 'finished' && last.cited).toMatchObject([
      {
        index: 1,
        chunk_id: 'chunk-1',
        url: 'https://docs.test/1#rotation:~:text=Signing%20keys%20rotate%20daily.',
      },
    ])
  })

  test('quotes from a later page are renumbered from 1 at the end', async () => {
    const { streamed, last } = await ask(world([LIMITS, BILLING, KEYS]))
    expect(streamed).toContain('Signing keys rotate daily. [3]')
    expect(last).toMatchObject({
      cited: [{ index: 1, title: 'Signing keys' }],
      rewritten: streamed.replace('[3]', '[1]'),
    })
  })

  test('a question that the pages do not cover is told so, with the closest pages and no citations', async () => {
    const answering = world(STRANGE)
    const { streamed, last, found } = await ask(answering)
    expect(streamed).toBe(
      'The documentation does not cover this question. The closest pages are:\n\n- [Page 1](<https://docs.test/1>)\n- [Page 2](<https://docs.test/2>)',
    )
    expect(found).toHaveLength(2)
    expect(last).toMatchObject({ covered: false, cited: [], rewritten: undefined })
    expect(answering.stored).toMatchObject([{ covered: false, citations: [], answer: streamed }])
  })

  test('with nothing found there is nothing to hint at', async () => {
    const { streamed, found, last } = await ask(world([]))
    expect(found).toEqual([])
    expect(streamed).toBe('The documentation does not cover this question.')
    expect(last).toMatchObject({ covered: false })
  })
})

describe('with a model', () => {
  test('its words are passed on as they come, and checked at the end', async () => {
    const said = ['Invoices come monthly [3]. Keys rotate daily', ' [1', ']. Whales sing [2].']
    const { events, streamed, last, stored } = await askModel(fakeLlm.says(...said))
    expect(events.length).toBeGreaterThan(3)
    expect(events.filter((event) => event.kind === 'delta' && /\[\d?$/.test(event.text))).toEqual([])
    expect(streamed).toBe(said.join(''))
    expect(last).toMatchObject({
      kind: 'finished',
      covered: true,
      cited: [
        { index: 1, title: 'Billing' },
        { index: 2, title: 'Signing keys' },
      ],
      rewritten: 'Invoices come monthly [1]. Keys rotate daily [2]. Whales sing.',
    })
    expect(stored[0]).toMatchObject({
      stoppedBy: undefined,
      answer: last?.kind === 'finished' ? last.rewritten : '',
      trace: { model: 'fake', dropped: [{ number: 2, reason: 'not_supported' }] },
    })
  })

  test('an answer that needs no change is not sent twice', async () => {
    const { last } = await askModel(fakeLlm.says('Keys rotate daily [1].'))
    expect(last).toMatchObject({ covered: true, rewritten: undefined })
  })

  test('it gets the excerpts between fences, with their versions, the voice, and the question', async () => {
    const { calls } = await askModel(fakeLlm.says('Keys rotate daily [1].'))
    const [system, user] = calls[0]?.body.messages ?? []
    expect(system?.content).toContain('A patient engineer')
    expect(user?.content).toContain('=====fence=====\n[1] Signing keys\nSection: Rotation\nVersion: v7')
    expect(user?.content).toMatch(/=====fence=====\n\nQuestion: How often do signing keys rotate\?$/)
  })

  test.for([
    ['NOT COVERED: The documentation says nothing about it.', 'The documentation says nothing about it.'],
    ['**Not covered.** It only says that keys rotate daily [1].', 'It only says that keys rotate daily [1].'],
    ['NOT COVERED', ''],
  ])('says with a sign that the pages do not cover the question: %s', async ([said = '', shown]) => {
    const { streamed, last } = await askModel(fakeLlm.says(...said.split(/(?<= )/)))
    expect(streamed).toBe(shown)
    expect(last).toMatchObject({
      covered: false,
      ...(shown === '' && { rewritten: 'The documentation does not cover this question.' }),
    })
  })

  test('a beginning that only looks like the sign is kept', async () => {
    expect((await askModel(fakeLlm.says('Not', ' covered keys', ' rotate daily [1].'))).streamed).toMatch(
      /keys rotate daily/,
    )
    expect((await askModel(fakeLlm.says('No', 'te that keys rotate daily [1].'))).streamed).toBe(
      'Note that keys rotate daily [1].',
    )
  })

  test.for<[string, FakeBehaviour]>([
    ['cites nothing', fakeLlm.says('Keys rotate daily, I am sure.')],
    ['cites what is not there', fakeLlm.citesWhatIsNotThere()],
    ['cites at random', fakeLlm.citesAtRandom(() => 0.5)],
  ])('one that %s is not taken for the documentation', async ([, behaviour]) => {
    const { last } = await askModel(behaviour)
    expect(last).toMatchObject({ covered: false, cited: [] })
    expect(last?.kind === 'finished' && last.rewritten).toMatch(
      /No page of the documentation was found that supports this answer/,
    )
  })

  test('it is not asked when the pages are about something else altogether', async () => {
    const { calls, last } = await askModel(fakeLlm.says('Hello'), STRANGE)
    expect(calls).toEqual([])
    expect(last).toMatchObject({ covered: false })
  })

  test('a hostile page that it obeys gets no link, picture or script to the reader, at no moment', async () => {
    const said = [
      'Click [here',
      '](https://evil.test/?q=',
      'SECRET) ![x](https://evil.test/p',
      ' "t") <img src=x> [a][b]\n\n[b]: htt',
      'ps://evil.test\n',
    ]
    const { streamed, last } = await askModel(fakeLlm.says(...said))
    expect(streamed).not.toMatch(/\]\(|<img|https:/)
    expect(JSON.stringify(last)).not.toMatch(/\]\(|<img|https:\/\/evil/)
  })
})

describe('what goes wrong', () => {
  test('before the first word is told with its code, and the question is given back', async () => {
    const { kinds, last, seen, stored } = await askModel(fakeLlm.outOfQuota())
    expect(kinds).toEqual(['found', 'failed'])
    expect(last).toEqual({ kind: 'failed', code: 'misconfigured', retryable: false })
    expect(seen).toMatchObject({ givenBack: 1, reported: ['answering a question'] })
    expect(stored).toEqual([])
  })

  test('after it ends the stream too, but counts, and what was said is kept as a part', async () => {
    const { last, seen, stored } = await askModel(fakeLlm.hangsUpAfter('Keys rotate daily [1]. And'))
    expect(last).toEqual({ kind: 'failed', code: 'unavailable', retryable: true })
    expect(seen.givenBack).toBe(0)
    expect(stored).toMatchObject([
      { stoppedBy: 'unavailable', answer: 'Keys rotate daily [1]. And', citations: [{ index: 1 }] },
    ])
  })

  test('in the search is an internal failure', async () => {
    const failing = world([], { search: async () => Promise.reject(new Error('no connection')) })
    expect((await ask(failing)).events).toEqual([{ kind: 'failed', code: 'internal', retryable: true }])
    expect(failing.seen.givenBack).toBe(1)
  })

  test('in the store costs only the ids', async () => {
    const failing = world([KEYS], { storeTurn: async () => Promise.reject(new Error('disk full')) })
    expect((await ask(failing)).last).toMatchObject({ kind: 'finished', ids: undefined })
    expect(failing.seen.reported).toEqual(['storing an answer'])
  })

  test('a question that is not admitted is refused before anything is said', async () => {
    const refusing = world([KEYS], { admit: async () => Promise.reject(new Refusal('QUOTA_EXCEEDED')) })
    await expect(ask(refusing)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(refusing.seen.queries).toEqual([])
  })
})

describe('a reader who leaves', () => {
  test('in the middle ends the model within 250 ms, and the part is kept as left', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverEnds('Keys rotate daily. '))
    const { answerQuestion, stored, seen } = world([KEYS], { model: modelAt(llm.baseUrl) })
    const leaving = new AbortController()
    const aborted = llm.nextAbort()
    let leftAt = Infinity
    const events: AnswerEvent[] = []
    for await (const event of answerQuestion(QUESTION, leaving.signal)) {
      events.push(event)
      if (events.length === 4) {
        leftAt = performance.now()
        leaving.abort()
      }
    }
    expect(((await aborted).abortedAt ?? Infinity) - leftAt).toBeLessThan(250)
    expect(events.at(-1)).toEqual({ kind: 'failed', code: 'cancelled', retryable: true })
    expect(stored).toMatchObject([
      { stoppedBy: 'cancelled', answer: expect.stringMatching(/^Keys rotate daily/) },
    ])
    expect(seen).toMatchObject({ givenBack: 0, reported: [] })
  })

  test('by ending the loop does the same', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverEnds('Keys rotate daily. '))
    const { answerQuestion, stored } = world([KEYS], { model: modelAt(llm.baseUrl) })
    const aborted = llm.nextAbort()
    for await (const event of answerQuestion(QUESTION, new AbortController().signal))
      if (event.kind === 'delta') break
    await aborted
    expect(stored).toMatchObject([{ stoppedBy: 'cancelled' }])
  })

  test('before the first word leaves nothing behind, and the question counts', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverAnswers())
    const { answerQuestion, stored, seen } = world([KEYS], { model: modelAt(llm.baseUrl) })
    const leaving = new AbortController()
    const aborted = llm.nextAbort()
    const events = eventsOf(answerQuestion(QUESTION, leaving.signal))
    while (llm.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    await aborted
    expect((await events).last).toMatchObject({ code: 'cancelled' })
    expect({ stored, givenBack: seen.givenBack }).toEqual({ stored: [], givenBack: 0 })
  })
})

test('a follow-up is searched for with the subject of its conversation', async () => {
  const answering = world([KEYS], {
    history: async () => [
      { query: 'What are signing keys?', answer: 'Keys sign. [1]', citedTitles: ['Signing keys'] },
    ],
  })
  await ask(answering, { query: 'How often do they rotate?', threadId: 'thread' })
  expect(answering.seen.queries).toEqual(['How often do they rotate? signing keys'])
  expect(answering.stored).toMatchObject([{ rewrittenQuery: 'How often do they rotate? signing keys' }])
})
