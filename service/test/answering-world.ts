import { NO_QUESTION_SETTINGS } from './question-settings.ts'
import { startFakeLlm, type FakeBehaviour } from './fake-llm.ts'
import type { Passage } from '../src/content/search/search.ts'
import { NO_MASKING } from '../src/answers/pii/pii.ts'
import type { LanguageModel } from '../src/platform/llm/language-model.ts'
import { createOpenAiCompatibleModel } from '../src/platform/llm/openai-compatible-model.ts'
import {
  createAnswering,
  type AnswerEvent,
  type AnsweringDeps,
  type AnsweredTurn,
  type Question,
} from '../src/answers/answering/answering.ts'

export const passage = (number: number, text: string, more: Partial<Passage> = {}): Passage => ({
  chunkId: `chunk-${number}`,
  documentId: `document-${number}`,
  sourceId: 'source',
  ordinal: 0,
  title: `Page ${number}`,
  url: `https://docs.test/${number}`,
  anchor: undefined,
  places: [],
  headingPath: [],
  text,
  versionLabel: undefined,
  score: 1 / number,
  similarity: 0.8 - number / 10,
  sentenceSimilarity: undefined,
  coverage: 1,
  lexicalScore: 5,
  ...more,
})

export const KEYS = passage(1, 'Signing keys rotate daily. Old keys are accepted for 48 hours.', {
  title: 'Signing keys',
  anchor: 'rotation',
  headingPath: ['Rotation'],
  versionLabel: 'v7',
})
export const LIMITS = passage(2, 'A workspace may send 1,000 requests per minute.', { title: 'Rate limits' })
export const BILLING = passage(3, 'Invoices are sent on the first day of a month.', { title: 'Billing' })
export const STRANGE = [
  passage(1, 'Bananas are yellow.', { similarity: 0.1, coverage: 0 }),
  passage(2, 'Whales sing.', { similarity: 0.05, coverage: 0 }),
]

/** Near the question's topic, and no answer to it. */
export const NEAR = [
  passage(1, 'A key may be signed.', { similarity: 0.35, coverage: 0.4 }),
  passage(2, 'Bananas rotate slowly.', { similarity: 0.3, coverage: 0.3 }),
]

export const QUESTION: Question = {
  knowledgeBaseId: 'base',
  knowledgeBaseName: 'Acme docs',
  query: 'How often do signing keys rotate?',
  threadId: undefined,
  groupIds: undefined,
  includeRestricted: false,
  language: 'en',
  topK: 15,
  voice: { persona: 'A patient engineer', tone: undefined, standingInstructions: undefined },
  asker: { surface: 'api', clientKeyId: 'key', userRef: undefined },
  settings: NO_QUESTION_SETTINGS,
}

export const IDS = { threadId: 'thread', messageId: 'message' }

/** A world with these passages. It records what was stored, refunded, searched for and reported. */
export function world(
  passages: Passage[],
  {
    model,
    ...more
  }: Partial<Omit<AnsweringDeps, 'conversations'>> & {
    model?: LanguageModel | undefined
    conversations?: Partial<AnsweringDeps['conversations']>
  } = {},
) {
  const stored: AnsweredTurn[] = []
  const seen = { refunded: 0, queries: [] as string[], reported: [] as string[] }
  const deps: AnsweringDeps = {
    allowance: {
      reserve: async () => ({
        refund: async () => {
          seen.refunded += 1
        },
      }),
    },
    search: {
      findPassages: async ({ query }) => {
        seen.queries.push(query)
        return { passages, pages: 100, mode: 'hybrid' }
      },
    },
    report: (_fault, doing) => seen.reported.push(doing),
    embedder: () => undefined,
    questionSettings: {
      from: ({ workspace_id: workspaceId, zero_data_retention: zeroRetention, ...llm }) => ({
        workspaceId,
        masking: NO_MASKING,
        zeroRetention,
        llm,
      }),
    },
    workspaceModels: { modelOf: () => model },
    pseudonymOf: (name) => name,
    customAnswers: { findAmong: () => Promise.resolve(new Map()) },
    inFlightAnswers: {
      open: (_of, signal) => ({
        signal,
        refusal: () => undefined,
        uses: () => {},
        [Symbol.dispose]: () => {},
      }),
    },
    countTokens: (text) => text.length / 4,
    newFence: () => '=====fence=====',
    now: () => performance.now(),
    ...more,
    conversations: {
      history: async () => [],
      storeTurn: async (turn) => {
        stored.push(structuredClone(turn))
        return IDS
      },
      ...more.conversations,
    },
  }
  return { ...createAnswering(deps), stored, seen }
}

export const modelAt = (baseUrl: string) =>
  createOpenAiCompatibleModel(
    { baseUrl, apiKey: undefined, model: 'fake' },
    { fetch: globalThis.fetch, random: () => 0 },
  )

export async function eventsOf(stream: AsyncIterable<AnswerEvent>) {
  const events: AnswerEvent[] = []
  for await (const event of stream) events.push(event)
  const last = events.at(-1)
  const streamed = events.map((event) => (event.kind === 'delta' ? event.text : '')).join('')
  const citations = events[0]?.kind === 'found' ? events[0].citations : []
  return { events, streamed, found: citations, last, kinds: [...new Set(events.map(({ kind }) => kind))] }
}

export const ask = async (answering: ReturnType<typeof world>, more: Partial<Question> = {}) =>
  eventsOf(answering.answerQuestion({ ...QUESTION, ...more }, new AbortController().signal))

/** Asks with a model of this behaviour. */
export async function askModel(
  behaviour: FakeBehaviour,
  passages = [KEYS, LIMITS, BILLING],
  more: Parameters<typeof world>[1] = {},
) {
  await using llm = await startFakeLlm(behaviour)
  const answering = world(passages, { model: modelAt(llm.baseUrl), ...more })
  const asked = await ask(answering)
  return { ...asked, ...answering, calls: llm.requests }
}
