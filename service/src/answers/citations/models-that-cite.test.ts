import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeMessage } from '../../../test/fake-llm.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

/** Pages of one product that share much of their vocabulary. */
const PAGES: Record<string, string[]> = {
  'Signing keys': [
    'Signing keys rotate every day at midnight.',
    'After a rotation the old signing key stays valid for 48 hours.',
    'Call `client.keys.rotate()` to force a rotation.',
  ],
  'API keys': [
    'An API key is shown once, when an admin creates it.',
    'API keys expire 90 days after they were last used.',
    'Set `key_prefix` to tell the API keys of a team apart.',
  ],
  'Rate limits': [
    'A workspace may send 1,000 requests per minute.',
    'Requests above the limit get status 429 with a Retry-After header.',
    'Set `max_burst` to let short bursts of requests pass.',
  ],
  Webhooks: [
    'A webhook is delivered once, and failed deliveries are not retried.',
    'Each delivery carries an HMAC signature of its raw body.',
    'An endpoint has 10 seconds to answer a delivery.',
  ],
  Backups: [
    'Backups of a workspace are written to object storage each night.',
    'A backup holds conversations, sources and settings, but no secrets.',
    'Run `acme restore --from latest` to restore the newest backup.',
  ],
  Plugins: [
    'Plugins run in a sandbox without access to the network.',
    'A plugin is installed with `acme plugin add`.',
    'Disabled plugins keep their settings for 30 days.',
  ],
}

const pageOf = (sentence: string) =>
  Object.entries(PAGES).find(([, facts]) => facts.some((fact) => fact.startsWith(sentence)))?.[0]

const QUESTIONS = [
  'When do signing keys rotate, and how long does an old API key stay valid?',
  'How many requests may a workspace send, and how is a delivery signed?',
  'Which secrets, settings and plugins does a backup of a workspace hold?',
]

/** A seeded random generator: the same numbers in every run, 0 to 1. */
function randomNumbers(): () => number {
  let state = 7
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Title of the page under each number in the prompt. */
const offered = (messages: FakeMessage[]) =>
  new Map(
    [...(messages.at(-1)?.content ?? '').matchAll(/^\[(\d+)\] (.+)$/gm)].map(
      ([, number = '', title = '']) => [Number(number), title],
    ),
  )

const sentenceOf = (fact: string, markers: string) => `${fact.replace(/\.$/, '')} ${markers}.`

/** What a model writes about each page in its prompt. */
type Habit = (page: { number: number; facts: string[]; numbers: number[]; random: () => number }) => string[]

const othersThan = (facts: readonly string[]) =>
  Object.values(PAGES)
    .filter((others) => others !== facts)
    .flat()

const HABITS: { name: string; habit: Habit; kept: 'all' | 'some' | 'none' }[] = [
  {
    name: 'copies, and cites what it copied',
    kept: 'all',
    habit: ({ number, facts }) => facts.map((fact) => sentenceOf(fact, `[${number}]`)),
  },
  {
    name: 'copies, and cites at random',
    kept: 'some',
    habit: ({ facts, numbers, random }) =>
      facts.map((fact) => sentenceOf(fact, `[${numbers[Math.floor(random() * numbers.length)]}]`)),
  },
  {
    name: 'copies, and cites every number',
    kept: 'some',
    habit: ({ facts, numbers }) =>
      facts.map((fact) => sentenceOf(fact, numbers.map((number) => `[${number}]`).join(''))),
  },
  { name: 'copies, and cites nothing', kept: 'none', habit: ({ facts }) => facts },
  {
    name: 'copies, and cites numbers that do not exist',
    kept: 'none',
    habit: ({ facts, numbers }) =>
      facts.map((fact, place) => sentenceOf(fact, `[${place === 0 ? 0 : numbers.length + place}]`)),
  },
  {
    name: 'cites the right page with a sentence of another',
    kept: 'none',
    habit: ({ number, facts, random }) => {
      const others = othersThan(facts)
      return facts.map(() => sentenceOf(others[Math.floor(random() * others.length)] ?? '', `[${number}]`))
    },
  },
  {
    name: 'cites the right page with another number, name or command than it has',
    kept: 'none',
    habit: ({ number, facts }) =>
      facts
        .filter((fact) => /\d|`/.test(fact))
        .map((fact) =>
          sentenceOf(
            fact.replaceAll(/\d+(?:,\d+)*/g, '77').replaceAll(/`[^`]+`/g, '`acme.other_thing()`'),
            `[${number}]`,
          ),
        ),
  },
  {
    name: 'cites the right page with an invented statement',
    kept: 'none',
    habit: ({ number }) => [
      `Support answers within a business hour on weekdays [${number}].`,
      `The company was founded by three friends in a garage [${number}].`,
    ],
  },
]

interface Count {
  said: number
  kept: number
  unsupported: number
}

/** Counts the citations of an answer: each `[n]` with its preceding sentence. */
function countMarkers(answer: string, citations: { index: number; title: string }[], count: Count) {
  for (const line of answer.split('\n')) {
    const sentence = line.replaceAll(/ ?\[\d+\]/g, '').replace(/\.$/, '')
    for (const [, number] of line.matchAll(/\[(\d+)\]/g)) {
      count.kept += 1
      const cited = citations.find(({ index }) => index === Number(number))
      if (cited === undefined || pageOf(sentence) !== cited.title) count.unsupported += 1
    }
  }
}

describe('only supported citations are kept', () => {
  test.for(HABITS)('from a model that $name', async ({ habit, kept }) => {
    const random = randomNumbers()
    const count: Count = { said: 0, kept: 0, unsupported: 0 }
    await using llm = await startFakeLlm(
      fakeLlm.replies((messages) => {
        const titles = offered(messages)
        const lines = [...titles].flatMap(([number, title]) =>
          habit({ number, facts: PAGES[title] ?? [], numbers: [...titles.keys()], random }),
        )
        count.said += lines.join('').match(/\[\d+\]/g)?.length ?? 0
        return lines.join('\n\n')
      }),
    )
    await using api = await startPublicApi({ storage, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(
      Object.entries(PAGES).map(([title, facts]) => ({ title, text: facts.join(' ') })),
    )

    for (const query of QUESTIONS) {
      const response = await api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key },
        body: { query },
      })
      const frames = await framesOf(response)
      const last = frames.at(-1)
      const streamed = frames.map((frame) => (frame['delta'] as string | undefined) ?? '').join('')
      const answer = (last?.['answer'] as string | undefined) ?? streamed
      const citations = last?.['citations'] as { index: number; title: string }[]
      countMarkers(answer, citations, count)

      const numbers = [...new Set([...answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)))]
      expect(numbers).toEqual(citations.map(({ index }) => index))
      expect(numbers).toEqual(numbers.map((_, place) => place + 1))
      expect(last?.['covered']).toBe(citations.length > 0)
    }

    expect(llm.requests).toHaveLength(QUESTIONS.length)
    expect(count.unsupported).toBe(0)
    // The kept ones of "some" are checked above, one by one.
    expect(count.kept).toBe({ all: count.said, some: Math.max(1, count.kept), none: 0 }[kept])
    expect(api.faults).toEqual([])
  })
})
