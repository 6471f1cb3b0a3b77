import { describe, expect, test } from 'vitest'
import {
  ask,
  askModel,
  eventsOf,
  KEYS,
  LIMITS,
  modelAt,
  passage,
  QUESTION,
  world,
} from '../../../test/answering-world.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'
import type { AnswerEvent } from './answering.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

describe('a failure', () => {
  test('before the first word is reported with its code, and the question is refunded', async () => {
    const { kinds, last, seen, stored } = await askModel(fakeLlm.outOfQuota())
    expect(kinds).toEqual(['found', 'failed'])
    expect(last).toEqual({ kind: 'failed', code: 'misconfigured', retryable: false })
    expect(seen).toMatchObject({ refunded: 1, reported: ['answering a question'] })
    expect(stored).toEqual([])
  })

  test('after the first word ends the stream, the question counts, and the partial answer is stored', async () => {
    const { last, seen, stored } = await askModel(fakeLlm.hangsUpAfter('Keys rotate daily [1]. And'))
    expect(last).toEqual({ kind: 'failed', code: 'unavailable', retryable: true })
    expect(seen.refunded).toBe(0)
    expect(stored).toMatchObject([
      { stoppedBy: 'unavailable', answer: 'Keys rotate daily [1]. And', citations: [{ index: 1 }] },
    ])
  })

  test('of the embedding model after the search leaves a custom answer to its words', async () => {
    const answer = passage(1, 'Once a day.', { title: 'How often are the keys for signing replaced?' })
    const down = () => Promise.reject(new Error('the endpoint of the embeddings is down'))
    const asked = world([answer, LIMITS], {
      embedder: () => ({ embedQuery: down, embedPassages: down, language: 'en' }) as unknown as Embedder,
      customAnswers: { findAmong: async () => new Map([[answer.documentId, 1]]) },
    })
    expect((await ask(asked)).last).toMatchObject({ kind: 'finished' })
    expect(asked.seen).toMatchObject({ refunded: 0, reported: [] })
  })

  test('in the search is reported as internal', async () => {
    const failing = world([], {
      search: { findPassages: async () => Promise.reject(new Error('no connection')) },
    })
    expect((await ask(failing)).events).toEqual([{ kind: 'failed', code: 'internal', retryable: true }])
    expect(failing.seen.refunded).toBe(1)
  })

  test('a timeout of the surface refunds the question if nothing was written yet', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverAnswers())
    const { answerQuestion, seen } = world([KEYS], { model: modelAt(llm.baseUrl) })
    const waiting = new AbortController()
    const events: AnswerEvent[] = []
    for await (const event of answerQuestion(QUESTION, waiting.signal)) {
      events.push(event)
      if (event.kind === 'found') waiting.abort(new ModelFailure('timeout', 'Not done within 90 s.'))
    }
    expect(events.at(-1)).toEqual({ kind: 'failed', code: 'timeout', retryable: true })
    expect(seen.refunded).toBe(1)
  })

  test('in the store only leaves out the ids', async () => {
    const failing = world([KEYS], {
      conversations: { storeTurn: async () => Promise.reject(new Error('disk full')) },
    })
    expect((await ask(failing)).last).toMatchObject({ kind: 'finished', ids: undefined })
    expect(failing.seen.reported).toEqual(['storing an answer'])
  })

  test('a question over its quota is refused before the first event', async () => {
    const refusing = world([KEYS], {
      allowance: { reserve: async () => Promise.reject(new Refusal('QUOTA_EXCEEDED')) },
    })
    await expect(ask(refusing)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(refusing.seen.queries).toEqual([])
  })
})

describe('a reader who disconnects', () => {
  test(
    'in the middle of an answer ends the model call within 250 ms, and the partial answer is stored as cancelled',
    TIME_LIMIT,
    async () => {
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
      expect(seen).toMatchObject({ refunded: 0, reported: [] })
    },
  )

  test('by ending the iteration does the same', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverEnds('Keys rotate daily. '))
    const { answerQuestion, stored } = world([KEYS], { model: modelAt(llm.baseUrl) })
    const aborted = llm.nextAbort()
    for await (const event of answerQuestion(QUESTION, new AbortController().signal))
      if (event.kind === 'delta') break
    await aborted
    expect(stored).toMatchObject([{ stoppedBy: 'cancelled' }])
  })

  test('before the first word leaves nothing stored, and the question counts', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverAnswers())
    const { answerQuestion, stored, seen } = world([KEYS], { model: modelAt(llm.baseUrl) })
    const leaving = new AbortController()
    const aborted = llm.nextAbort()
    const events = eventsOf(answerQuestion(QUESTION, leaving.signal))
    while (llm.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    await aborted
    expect((await events).last).toMatchObject({ code: 'cancelled' })
    expect({ stored, refunded: seen.refunded }).toEqual({ stored: [], refunded: 0 })
  })
})
