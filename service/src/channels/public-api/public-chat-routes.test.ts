import { verifies } from '@citewell/spec/verifies'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

const PAGES = [
  {
    title: 'Rotating signing keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
  { title: 'Installing plugins', text: 'Plugins are installed with the plugin command.' },
]
const QUESTION = 'When are signing keys rotated?'

const chatPath = (base: { id: string }) => `/public/knowledge-bases/${base.id}/chat`

verifies(
  [
    'chat.first-frame',
    'chat.middle-frames',
    'chat.last-frame',
    'chat.headers',
    'chat.one-data-line',
    'chat.powered-by',
    'citations.fields',
  ],
  'a stream has the found pages first, then deltas, then a last frame with ids, citations and branding',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES)

    const response = await api.send(chatPath(base), {
      headers: { 'x-client-key': base.key },
      body: { query: QUESTION },
    })

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const frames = await framesOf(response)
    const [first, ...rest] = frames
    const last = rest.at(-1)
    expect(Object.keys(first ?? {})).toEqual(['citations', 'done'])
    const deltas = rest.slice(0, -1)
    expect(deltas).not.toHaveLength(0)
    for (const frame of deltas) expect(frame).toEqual({ delta: expect.any(String), done: false })
    expect(deltas.map((frame) => frame['delta']).join('')).toContain('midnight')
    expect(last).toMatchObject({
      done: true,
      thread_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      covered: true,
      powered_by: 'Citewell',
      powered_by_url: 'https://github.com/citewell/citewell',
    })
    const citations = last?.['citations'] as Record<string, unknown>[]
    expect(citations[0]).toEqual({
      index: 1,
      title: 'Rotating signing keys',
      url: expect.stringContaining('https://docs.example.com/Rotating%20signing%20keys'),
      document_id: expect.any(String),
      chunk_id: expect.any(String),
      heading_path: expect.any(Array),
      excerpt: expect.stringContaining('midnight'),
    })
    expect(api.faults).toEqual([])
  },
)

verifies(
  'citations.version-said',
  'citations name the version of their page, both during the answer and at its end',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES.map((page) => ({ ...page, version: 'v4' })))

    const frames = await framesOf(
      await api.send(chatPath(base), { headers: { 'x-client-key': base.key }, body: { query: QUESTION } }),
    )

    for (const frame of [frames[0], frames.at(-1)])
      expect(frame?.['citations']).toMatchObject([{ title: 'Rotating signing keys (v4)' }])
  },
)

verifies(
  'chat.first-frame-empty',
  'if nothing was found the first frame is just done: false, and the answer says so',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable([])

    const frames = await framesOf(
      await api.send(chatPath(base), {
        headers: { 'x-client-key': base.key },
        body: { query: 'Who won the cup?' },
      }),
    )

    expect(frames[0]).toEqual({ done: false })
    expect(frames.at(-1)).toMatchObject({ done: true, covered: false, citations: [] })
  },
)

verifies(
  'chat.no-ids-under-zero-retention',
  'with zero retention the last frame has neither thread_id nor message_id',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES, { workspace: { zero_data_retention: true } })

    const frames = await framesOf(
      await api.send(chatPath(base), { headers: { 'x-client-key': base.key }, body: { query: QUESTION } }),
    )

    const last = frames.at(-1) ?? {}
    expect(last['done']).toBe(true)
    expect('thread_id' in last).toBe(false)
    expect('message_id' in last).toBe(false)
  },
)

verifies(
  ['chat.answer-only-when-different', 'citations.renumbered'],
  'the last frame has the answer only if its markers were renumbered',
  async () => {
    await using llm = await startFakeLlm(
      fakeLlm.says('Signing keys are rotated every day ', 'at midnight [1][97].'),
    )
    await using api = await startPublicApi({ storage, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(PAGES)
    const ask = async () =>
      await framesOf(
        await api.send(chatPath(base), { headers: { 'x-client-key': base.key }, body: { query: QUESTION } }),
      )

    expect((await ask()).at(-1)).toMatchObject({
      answer: 'Signing keys are rotated every day at midnight [1].',
      citations: [{ index: 1 }],
    })

    llm.script(fakeLlm.says('Signing keys are rotated every day ', 'at midnight [1].'))
    expect('answer' in ((await ask()).at(-1) ?? {})).toBe(false)
  },
)

verifies(
  ['chat.error-frame-ends', 'chat.error-frame-fields', 'chat.error-internal', 'errors.frame'],
  'an error frame is the last frame: nothing follows it, and there is no done frame',
  async () => {
    await using llm = await startFakeLlm(fakeLlm.saysGarbageAfter('Signing keys '))
    await using api = await startPublicApi({ storage, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(PAGES)

    const response = await api.send(chatPath(base), {
      headers: { 'x-client-key': base.key, 'x-request-id': 'reader-4711' },
      body: { query: QUESTION },
    })

    const frames = await framesOf(response)
    expect(frames.at(-1)).toEqual({
      error: expect.any(String),
      error_code: 'internal',
      code: 'INTERNAL',
      retryable: true,
      request_id: 'reader-4711',
    })
    expect(frames.some((frame) => frame['done'] === true)).toBe(false)
    expect(frames.filter((frame) => 'error' in frame)).toHaveLength(1)
  },
)

verifies(
  ['chat.quota-accept', 'chat.error-quota', 'chat.refused-before-answering'],
  'an exhausted quota is one error frame in the stream, and a 403 for a caller that accepts only JSON',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES, { workspace: { monthly_question_allowance: 0 } })
    const ask = async (accept: string) =>
      await api.send(chatPath(base), {
        headers: { 'x-client-key': base.key, accept },
        body: { query: QUESTION },
      })

    const frames = await framesOf(await ask('text/event-stream'))
    expect(frames).toEqual([
      expect.objectContaining({ error_code: 'quota_exceeded', code: 'QUOTA_EXCEEDED', retryable: false }),
    ])
    expect(await framesOf(await ask('*/*'))).toHaveLength(1)
    const asJson = await ask('application/json')
    expect(asJson.status).toBe(403)
    expect(await asJson.json()).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  },
)

verifies(
  'chat.no-restricted',
  'restricted pages appear neither in the answer nor among the pages found',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable([
      ...PAGES,
      {
        title: 'Signing keys of the board',
        text: 'The signing keys of the board are CANARY.',
        visibility: 'restricted',
      },
    ])

    const response = await api.send(chatPath(base), {
      headers: { 'x-client-key': base.key },
      body: { query: 'What are the signing keys of the board?' },
    })

    const text = await response.text()
    expect(text).toContain('"done":true')
    expect(text).not.toMatch(/CANARY|of the board/)
  },
)

verifies(
  ['chat.unknown-fields', 'chat.widget-id-invalid'],
  'an invalid body is refused before the model is called',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES)
    const status = async (body: unknown) =>
      (await api.send(chatPath(base), { headers: { 'x-client-key': base.key }, body })).status

    expect(await status({})).toBe(400)
    expect(await status({ query: ' ' })).toBe(400)
    expect(await status({ query: 'x'.repeat(4_001) })).toBe(400)
    expect(await status({ query: QUESTION, widget_id: 'mine' })).toBe(400)
    expect(await status({ query: QUESTION, top_k: 1_000, unknown: true })).toBe(200)
    expect(await status({ query: `${QUESTION}\0` })).toBe(400)
  },
)

verifies(
  'chat.leaving-ends-the-model',
  'disconnecting aborts the call to the model within 250 ms',
  async () => {
    await using llm = await startFakeLlm(fakeLlm.neverEnds('Signing keys are rotated. '))
    await using api = await startPublicApi({ storage, modelUrl: llm.baseUrl })
    const base = await api.makeAskable(PAGES)
    const aborted = llm.nextAbort()
    const leaving = request(`${api.address}/api/v1${chatPath(base)}`, {
      method: 'POST',
      headers: { 'x-client-key': base.key, 'content-type': 'application/json' },
    })
    leaving.on('error', () => {})
    leaving.end(JSON.stringify({ query: QUESTION }))
    const [response] = (await once(leaving, 'response')) as [IncomingMessage]
    await once(response, 'data')

    const leftAt = performance.now()
    leaving.destroy()

    expect((await aborted).abortedAt ?? Number.POSITIVE_INFINITY).toBeLessThan(leftAt + 250)
  },
  TIME_LIMIT,
)
