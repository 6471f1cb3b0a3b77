import { LLMock } from '@copilotkit/aimock'
import { describe, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeBehaviour, type FakeLlm } from '../../../test/fake-llm.ts'
import { ModelFailure, type LanguageModel } from './language-model.ts'
import { createOpenAiCompatibleModel, type OpenAiCompatibleDeps } from './openai-compatible-model.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

const QUESTION = {
  messages: [{ role: 'user' as const, content: 'How often do keys rotate?' }],
  maxOutputTokens: 50,
}
const WIRE = { model: 'fake', max_tokens: 50, stream: true }
const PATIENT = { firstTokenMs: 10_000, betweenTokensMs: 10_000, totalMs: 20_000 }

const modelOf = (baseUrl: string, deps: Partial<OpenAiCompatibleDeps> = {}) =>
  createOpenAiCompatibleModel(
    { baseUrl, apiKey: 'sk-test', model: 'fake' },
    { fetch: globalThis.fetch, limits: PATIENT, random: () => 0, ...deps },
  )

/** The whole text of the model, and its failure if it failed. */
async function listen(model: LanguageModel, signal = new AbortController().signal) {
  let said = ''
  try {
    for await (const text of model.write({ ...QUESTION, signal })) said += text
    return { said, failure: undefined }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return { said, failure: error.code }
  }
}

async function outcomeOf(...behaviours: FakeBehaviour[]) {
  await using llm = await startFakeLlm(...behaviours)
  return { ...(await listen(modelOf(llm.baseUrl))), calls: llm.requests.length }
}

describe('a complete answer', () => {
  test('arrives in the pieces of the model, and the request has model, messages, limit and key', async () => {
    await using llm = await startFakeLlm(fakeLlm.says('Keys rotate ', 'daily [1].'))
    const pieces: string[] = []
    for await (const text of modelOf(llm.baseUrl).write({
      ...QUESTION,
      signal: new AbortController().signal,
    })) {
      pieces.push(text)
    }
    expect(pieces).toEqual(['Keys rotate ', 'daily [1].'])
    expect(llm.requests[0]?.body).toMatchObject({ ...WIRE, messages: QUESTION.messages })
    expect(llm.requests[0]?.headers.authorization).toBe('Bearer sk-test')
  })

  test('is intact when the bytes are split inside characters, JSON and events', async () => {
    const text = ['Schlüssel: ', '鍵は毎日', ' 🔑 "quoted" \\ [1]\n']
    expect(await outcomeOf(fakeLlm.saysByteByByte(...text))).toMatchObject({
      said: text.join(''),
      failure: undefined,
    })
  })

  test('may come as one piece of 2 MB, or without [DONE]', async () => {
    const huge = 'x'.repeat(2_000_000)
    expect((await outcomeOf(fakeLlm.says(huge))).said).toBe(huge)
    expect(await outcomeOf(fakeLlm.forgetsDone('all of it'))).toMatchObject({
      said: 'all of it',
      failure: undefined,
    })
  })

  test('is requested with max_completion_tokens if the model requires it', async () => {
    const refusal = fakeLlm.refuses(400, {
      message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
      code: 'unsupported_parameter',
    })
    await using llm = await startFakeLlm(refusal, fakeLlm.says('fine'))
    const model = modelOf(llm.baseUrl)
    expect(await listen(model)).toMatchObject({ said: 'fine', failure: undefined })
    expect(await listen(model)).toMatchObject({ said: 'fine', failure: undefined })
    expect(llm.requests.map(({ body }) => body['max_completion_tokens'])).toEqual([undefined, 50, 50])
  })
})

describe('what other servers send', () => {
  const event = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const END = 'data: [DONE]\n\n'

  test('[DONE] ends the answer, although the connection stays open', async () => {
    expect(
      await outcomeOf(fakeLlm.sendsRaw(event({ content: 'all of it' }), event({}, 'stop'), END)),
    ).toMatchObject({ said: 'all of it', failure: undefined })
  })

  test('comments, empty events, usage without choices and unknown fields are skipped', async () => {
    const usage = `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 3 } })}\n\n`
    const said = [': keep-alive\n\n', 'data:\n\n', event({ role: 'assistant', audio: null, content: 'a' })]
    expect(await outcomeOf(fakeLlm.sendsRaw(...said, event({}, 'stop'), usage, END))).toMatchObject({
      said: 'a',
      failure: undefined,
    })
  })

  test('of content in parts the text is passed on, and thinking is not', async () => {
    const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }]
    const parts = [
      event({ reasoning_content: 'hm' }),
      event({ reasoning: 'hm' }),
      event({ content: thinking }),
      event({ content: [{ type: 'text', text: 'a' }] }),
      event({ content: 'b' }),
    ]
    expect(await outcomeOf(fakeLlm.sendsRaw(...parts, event({}, 'stop'), END))).toMatchObject({
      said: 'ab',
      failure: undefined,
    })
  })

  test.for([
    ['in its last event', [event({ refusal: 'No.' }, 'stop')]],
    ['before its last event', [event({ refusal: 'No' }), event({ refusal: '.' }), event({}, 'stop')]],
  ] as const)('a refusal of the model %s counts as filtered', async ([, events]) => {
    expect(await outcomeOf(fakeLlm.sendsRaw(...events, END))).toMatchObject({
      said: 'No.',
      failure: 'content_filtered',
    })
  })

  test('thinking that a server leaves in the text is not passed on', async () => {
    const said = (...pieces: string[]) => outcomeOf(fakeLlm.says(...pieces))
    expect(
      await said('\n<th', 'ink>\nThe page says <b>', 'daily</thi', 'nk>\n\nKeys ', 'rotate.'),
    ).toMatchObject({
      said: 'Keys rotate.',
      failure: undefined,
    })
    expect(await said('<think>The page says')).toMatchObject({ said: '', failure: 'internal' })
    // Only at the beginning: further on it is text about such a mark.
    expect(await said('<th', 'ing> and <think>')).toMatchObject({
      said: '<thing> and <think>',
      failure: undefined,
    })
    expect(await said('<thi')).toMatchObject({ said: '<thi', failure: undefined })
  })

  const sendsJson =
    (body: unknown, type = 'application/json; charset=utf-8'): FakeBehaviour =>
    ({ response }) =>
      void response
        .writeHead(200, { 'content-type': type })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
  const completion = (message: object, finish_reason = 'stop') => ({
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason }],
  })

  test.for([
    ['is read', { role: 'assistant', content: 'all of it' }, 'stop', 'all of it', undefined],
    ['may be cut', { content: 'half' }, 'length', 'half', 'truncated'],
    ['may be a refusal', { content: null, refusal: 'No.' }, 'stop', 'No.', 'content_filtered'],
    ['may be empty', { content: '' }, 'stop', '', 'internal'],
  ] as const)('an answer that is not streamed %s', async ([, message, reason, said, failure]) => {
    expect(await outcomeOf(sendsJson(completion(message, reason)))).toMatchObject({ said, failure })
  })

  test.for([
    ['an error', { error: { message: 'no', code: 'invalid_api_key' } }, 'misconfigured'],
    [
      'an error without an envelope',
      { object: 'error', message: 'no such model', code: 404 },
      'misconfigured',
    ],
    ['no JSON', 'oops', 'internal'],
  ] as const)('instead of a stream %s tells what is wrong', async ([, body, failure]) => {
    expect(await outcomeOf(sendsJson(body))).toMatchObject({ said: '', failure })
  })

  test('a page instead of an answer means a wrong address', async () => {
    const page = sendsJson('<!doctype html><title>Sign in</title>', 'text/html')
    expect(await outcomeOf(page)).toMatchObject({ said: '', failure: 'misconfigured', calls: 1 })
  })

  test.for([
    [{ code: 'invalid_api_key', type: 'invalid_request_error' }, 'misconfigured'],
    [{ type: 'authentication_error' }, 'misconfigured'],
    [{ type: 'permission_error' }, 'misconfigured'],
    [{ code: 'model_not_found' }, 'misconfigured'],
    [{ code: '401' }, 'misconfigured'],
    [{ code: '503' }, 'unavailable'],
    [{ type: 'invalid_request_error', code: 'rate_limit_exceeded' }, 'rate_limited'],
    [{ type: 'something_else' }, 'internal'],
  ] as const)('an error within the stream has its own code: %j', async ([error, failure]) => {
    expect(await outcomeOf(fakeLlm.failsAfter({ message: 'no', ...error }, 'Keys '))).toMatchObject({
      said: 'Keys ',
      failure,
    })
  })

  test('of two first calls at once, both learn the other name of the token limit', async () => {
    const refusal = { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." }
    const both = Promise.withResolvers<undefined>()
    let waiting = 0
    const refuses: FakeBehaviour = async (exchange) => {
      if ('max_completion_tokens' in exchange.request.body) return await fakeLlm.says('here')(exchange)
      waiting += 1
      if (waiting === 2) both.resolve(undefined)
      await both.promise
      await fakeLlm.refuses(400, refusal)(exchange)
    }
    await using llm = await startFakeLlm(refuses)
    const model = modelOf(llm.baseUrl)
    const outcome = { said: 'here', failure: undefined }
    expect(await Promise.all([listen(model), listen(model)])).toEqual([outcome, outcome])
  })

  test('an answer without a body is an empty one', async () => {
    const empty: FakeBehaviour = ({ response }) => void response.writeHead(204).end()
    expect(await outcomeOf(empty)).toEqual({ said: '', failure: 'internal', calls: 1 })
  })

  test.for([
    ['an event without an end', `data: ${'x'.repeat(8_100_000)}`],
    ['an event with other types', 'data: {"choices":[{"delta":{"content":7}}]}\n\n'],
    ['an array', 'data: []\n\n'],
  ])('%s ends the answer', async ([, text = '']) => {
    expect(await outcomeOf(fakeLlm.sendsRaw(event({ content: 'a' }), text))).toMatchObject({
      said: 'a',
      failure: 'internal',
    })
  })
})

describe('every failure has a code', () => {
  test.for<[string, FakeBehaviour, string, number]>([
    ['busy for good', fakeLlm.rateLimited(), 'rate_limited', 3],
    ['out of quota (a 429 too)', fakeLlm.outOfQuota(), 'misconfigured', 1],
    ['payment required', fakeLlm.paymentRequired(), 'misconfigured', 1],
    ['a wrong key', fakeLlm.refuses(401), 'misconfigured', 1],
    ['a key without rights', fakeLlm.refuses(403), 'misconfigured', 1],
    ['no such model', fakeLlm.refuses(404, { code: 'model_not_found' }), 'misconfigured', 1],
    ['a filtered question', fakeLlm.refuses(400, { code: 'content_filter' }), 'content_filtered', 1],
    ['a broken server', fakeLlm.refuses(500), 'unavailable', 3],
    ['an overloaded server', fakeLlm.refuses(503), 'unavailable', 3],
    ['an empty answer', fakeLlm.says(), 'internal', 1],
    ['an answer of white space', fakeLlm.says('\n', ' '), 'internal', 1],
  ])('%s', async ([, behaviour, failure, calls]) => {
    expect(await outcomeOf(behaviour)).toEqual({ said: '', failure, calls })
  })

  test.for<[string, FakeBehaviour, string]>([
    ['the token limit', fakeLlm.finishesWith('length', 'Keys '), 'truncated'],
    ['the content filter', fakeLlm.finishesWith('content_filter', 'Keys '), 'content_filtered'],
    ['a filter with a name', fakeLlm.finishesWith('content_filter: SAFETY', 'Keys '), 'content_filtered'],
    ['the length of the model', fakeLlm.finishesWith('model_length', 'Keys '), 'truncated'],
    ['the call of a tool', fakeLlm.finishesWith('tool_calls', 'Keys '), 'truncated'],
    ['a lack of resources', fakeLlm.finishesWith('insufficient_system_resource', 'Keys '), 'unavailable'],
    ['a malformed chunk', fakeLlm.saysGarbageAfter('Keys '), 'internal'],
    ['an end without a reason', fakeLlm.endsWithoutReason('Keys '), 'truncated'],
    ['a broken connection', fakeLlm.hangsUpAfter('Keys '), 'unavailable'],
    [
      'an overload in mid-stream',
      fakeLlm.failsAfter({ message: 'Overloaded', type: 'overloaded_error' }, 'Keys '),
      'unavailable',
    ],
    [
      'a busy provider in mid-stream',
      fakeLlm.failsAfter({ message: 'slow down', code: 429 }, 'Keys '),
      'rate_limited',
    ],
  ])('%s ends a started answer without a retry', async ([, behaviour, failure]) => {
    expect(await outcomeOf(behaviour)).toEqual({ said: 'Keys ', failure, calls: 1 })
  })

  test('an address where nothing listens is unavailable', async () => {
    const gone = await startFakeLlm()
    await gone[Symbol.asyncDispose]()
    expect(await listen(modelOf(gone.baseUrl))).toEqual({ said: '', failure: 'unavailable' })
  })
})

describe('before the first token', () => {
  test('two overload errors are retried', async () => {
    const outcome = await outcomeOf(fakeLlm.rateLimited(), fakeLlm.refuses(503), fakeLlm.says('here'))
    expect(outcome).toEqual({ said: 'here', failure: undefined, calls: 3 })
  })

  test('Retry-After is honoured up to five seconds, and a longer one ends the call', async () => {
    const began = performance.now()
    expect(
      await outcomeOf(fakeLlm.rateLimited({ 'retry-after-ms': '60' }), fakeLlm.says('here')),
    ).toMatchObject({
      said: 'here',
      calls: 2,
    })
    expect(performance.now() - began).toBeGreaterThanOrEqual(59)
    expect(await outcomeOf(fakeLlm.rateLimited({ 'retry-after': '6' }))).toMatchObject({
      failure: 'rate_limited',
      calls: 1,
    })
  })
})

describe('time limits', () => {
  const limits = { firstTokenMs: 80, betweenTokensMs: 60, totalMs: 300 }
  const withLimits = (llm: FakeLlm) => listen(modelOf(llm.baseUrl, { limits }))

  test('a model that sends nothing times out, and its connection is closed', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverAnswers())
    const aborted = llm.nextAbort()
    expect(await withLimits(llm)).toEqual({ said: '', failure: 'timeout' })
    await aborted
  })

  test('a model that stops sending in the middle times out', async () => {
    await using llm = await startFakeLlm(fakeLlm.stallsAfter('one ', 'two '))
    const aborted = llm.nextAbort()
    expect(await withLimits(llm)).toEqual({ said: 'one two ', failure: 'timeout' })
    await aborted
  })

  test('a model that never ends times out', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverEnds('.'))
    const aborted = llm.nextAbort()
    expect(await withLimits(llm)).toMatchObject({ failure: 'timeout' })
    await aborted
  })

  test('a slow reader does not count as a slow model', async () => {
    await using llm = await startFakeLlm(fakeLlm.says('one ', 'two'))
    let said = ''
    const model = modelOf(llm.baseUrl, { limits: { ...limits, betweenTokensMs: 30 } })
    for await (const text of model.write({ ...QUESTION, signal: new AbortController().signal })) {
      said += text
      await new Promise((resolve) => setTimeout(resolve, 45))
    }
    expect(said).toBe('one two')
  })

  test('a model that stops sending times out although its reader was slow before', TIME_LIMIT, async () => {
    await using llm = await startFakeLlm(fakeLlm.stallsAfter('one ', 'two '))
    const model = modelOf(llm.baseUrl, { limits: { ...limits, betweenTokensMs: 30 } })
    const pieces: string[] = []
    const read = async () => {
      for await (const text of model.write({ ...QUESTION, signal: new AbortController().signal })) {
        pieces.push(text)
        await new Promise((resolve) => setTimeout(resolve, 45))
      }
    }
    await expect(read()).rejects.toThrow(/stopped sending text/)
    expect(pieces).toEqual(['one ', 'two '])
  })
})

describe('a reader who disconnects', () => {
  test.for<[string, FakeBehaviour, boolean]>([
    ['before the first token', fakeLlm.neverAnswers(), false],
    ['in the middle of a silence', fakeLlm.stallsAfter('one '), true],
    ['in the middle of the text', fakeLlm.neverEnds('.'), true],
  ])(
    '%s closes the connection to the model within 250 ms',
    TIME_LIMIT,
    async ([, behaviour, waitsForText]) => {
      await using llm = await startFakeLlm(behaviour)
      const leaving = new AbortController()
      const text = modelOf(llm.baseUrl).write({ ...QUESTION, signal: leaving.signal })
      if (waitsForText) await text.next()
      const rest = (async () => {
        for await (const _ of text);
      })()
      rest.catch(() => {})
      while (llm.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
      const aborted = llm.nextAbort()
      const leftAt = performance.now()
      leaving.abort()
      const request = await aborted
      expect((request.abortedAt ?? Infinity) - leftAt).toBeLessThan(250)
      await expect(rest).rejects.toMatchObject({ code: 'cancelled' })
    },
  )

  test('by ending the loop closes the connection too', async () => {
    await using llm = await startFakeLlm(fakeLlm.neverEnds('.'))
    const aborted = llm.nextAbort()
    for await (const _ of modelOf(llm.baseUrl).write({ ...QUESTION, signal: new AbortController().signal }))
      break
    expect((await aborted).abortedAt).toBeGreaterThan(0)
  })
})

test('a failing model is not called until the circuit breaker allows a probe', async () => {
  let now = 0
  await using llm = await startFakeLlm(fakeLlm.refuses(500))
  const model = modelOf(llm.baseUrl, { now: () => now })
  await listen(model)
  await listen(model)
  expect(llm.requests).toHaveLength(5)
  expect(await listen(model)).toEqual({ said: '', failure: 'unavailable' })
  expect(llm.requests).toHaveLength(5)
  now = 5_001
  llm.script(fakeLlm.says('back'))
  expect(await listen(model)).toEqual({ said: 'back', failure: undefined })
})

test('a third-party fake of the API works too', async () => {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  mock.onMessage('How often do keys rotate?', { content: 'Keys rotate daily [1].' })
  await mock.start()
  try {
    expect(await listen(modelOf(`${mock.url}/v1`))).toEqual({
      said: 'Keys rotate daily [1].',
      failure: undefined,
    })
  } finally {
    await mock.stop()
  }
})
