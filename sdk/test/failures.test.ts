import { afterEach, expect, test } from 'vitest'
import { createClient, type ClientOptions } from '../src/client.ts'
import { createManagement } from '../src/management.ts'
import { createSocket } from '../src/socket.ts'
import { errorOf } from './error-of.ts'
import { DELTA, DONE, eventOf, frames, json, refusal, START, startScriptedServer } from './scripted-server.ts'

const open = ({ endpoint }: { endpoint: string }, options: Partial<ClientOptions> = {}) =>
  createClient({ endpoint, knowledgeBaseId: 'kb', clientKey: 'cw_pk_1', ...options })

const FOUND = { results: [], count: 0, powered_by: 'Citewell', powered_by_url: '' }
const BUSY = {
  error: 'Busy.',
  error_code: 'rate_limited',
  code: 'RATE_LIMITED',
  retryable: true,
  request_id: 'r2',
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'window')
  Reflect.deleteProperty(globalThis, 'document')
})

test('what the service calls retryable is sent again, after the time that it asks for', async () => {
  await using server = await startScriptedServer(
    refusal(429, 'RATE_LIMITED', true, { 'retry-after': '1' }),
    (response) => response.destroy(),
    json(200, FOUND),
  )
  const started = performance.now()
  expect(await open(server).search('keys')).toMatchObject({ count: 0 })
  expect(performance.now() - started).toBeGreaterThan(990)
  expect(server.received).toHaveLength(3)
})

test('what is not retryable, or would take too long, is not sent again', async () => {
  await using refused = await startScriptedServer(refusal(403, 'FORBIDDEN', false))
  expect(await errorOf(open(refused).search('keys'))).toMatchObject({
    message: 'It is FORBIDDEN.',
    code: 'FORBIDDEN',
    requestId: 'r1',
    status: 403,
  })
  expect(refused.received).toHaveLength(1)
  await using busy = await startScriptedServer(refusal(429, 'RATE_LIMITED', true, { 'retry-after': '30' }))
  expect(await errorOf(open(busy).search('keys'))).toMatchObject({
    errorCode: 'rate_limited',
    retryAfter: 30,
    retryable: true,
  })
  expect(busy.received).toHaveLength(1)
})

test('the page of a proxy is judged by its status', async () => {
  await using server = await startScriptedServer((response) => response.writeHead(502).end('<h1>Bad</h1>'))
  const error = await errorOf(open(server, { retries: 1 }).search('keys'))
  expect(error).toMatchObject({ code: 'HTTP_502', errorCode: 'unavailable', status: 502, retryable: true })
  expect(error.message).not.toContain('<h1>')
  expect(server.received).toHaveLength(2)
})

test('a redirect is not followed with the key', async () => {
  await using server = await startScriptedServer((response) =>
    response.writeHead(302, { location: '/elsewhere' }).end(),
  )
  expect(await errorOf(open(server).search('keys'))).toMatchObject({ code: 'HTTP_302', retryable: false })
  expect(server.received).toHaveLength(1)
})

test('a question is asked again if it failed before its first frame', async () => {
  await using server = await startScriptedServer(
    refusal(503, 'UNAVAILABLE', true),
    frames(BUSY),
    frames(START, DELTA, DONE),
  )
  expect((await open(server).ask('When?').final()).text).toBe('Every day ')
  expect(server.received).toHaveLength(3)
})

test('a question is not asked again after its first frame', async () => {
  await using failed = await startScriptedServer(frames(START, DELTA, BUSY))
  expect(await errorOf(open(failed).ask('When?').final())).toMatchObject({ errorCode: 'rate_limited' })
  expect(failed.received).toHaveLength(1)
  await using cut = await startScriptedServer(frames(START, DELTA))
  expect(await errorOf(open(cut).ask('When?').final())).toMatchObject({ code: 'STREAM_CUT' })
  expect(cut.received).toHaveLength(1)
  await using reset = await startScriptedServer((response) => {
    response.writeHead(200).write(eventOf(START))
    setTimeout(() => response.destroy(), 50)
  })
  expect(await errorOf(open(reset).ask('When?').final())).toMatchObject({ code: 'STREAM_CUT' })
  expect(reset.received).toHaveLength(1)
})

test('each attempt has its own CAPTCHA token, for its action', async () => {
  await using server = await startScriptedServer(
    refusal(403, 'CAPTCHA_FAILED', true),
    frames(START, DONE),
    json(200, FOUND),
    json(200, { questions: [] }),
  )
  let made = 0
  const client = open(server, { captcha: async (action) => `${action}-${(made += 1)}` })
  await client.ask('When?').final()
  await client.search('keys')
  await client.suggested()
  expect(server.received.map(({ headers }) => headers['x-captcha-token'])).toEqual([
    'chat-1',
    'chat-2',
    'search-3',
    undefined,
  ])
})

test('nobody waits for a CAPTCHA once they have given up, and nothing is sent', async () => {
  await using server = await startScriptedServer(json(200, FOUND))
  const given: (AbortSignal | undefined)[] = []
  const client = open(server, {
    captcha: async (_, signal) => {
      given.push(signal)
      return await new Promise<string>(() => undefined)
    },
  })
  const stop = new AbortController()
  const waiting = [
    errorOf(client.ask('When?', { signal: stop.signal }).final()),
    errorOf(client.search('keys', { signal: stop.signal })),
    errorOf(client.deflect({ body: 'When?' }, { signal: stop.signal }).final()),
  ]
  setTimeout(() => stop.abort(), 20)
  expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(waiting.map(() => 'CANCELLED'))
  expect(given.map((signal) => signal?.aborted)).toEqual([true, true, true])
  expect(server.received).toEqual([])
})

test('a CAPTCHA that cannot be made is an error, and is not asked of a secret pair', async () => {
  await using server = await startScriptedServer(json(200, FOUND))
  const captcha = () => Promise.reject(new Error('blocked'))
  const error = await errorOf(open(server, { captcha, retries: 0 }).search('keys'))
  expect(error).toMatchObject({ code: 'CAPTCHA_FAILED', cause: new Error('blocked') })
  const pair = { clientKey: undefined, clientId: 'cw_id_1', clientSecret: 'cw_sk_1' }
  await open(server, { ...pair, captcha }).search('keys')
  expect(server.received.map(({ headers }) => [headers['x-client-id'], headers['x-client-secret']])).toEqual([
    ['cw_id_1', 'cw_sk_1'],
  ])
})

test('a search names no widget; a question does, and who asks', async () => {
  await using server = await startScriptedServer(json(200, FOUND), frames(START, DONE))
  const client = open(server, { widgetId: 'w1', user: { id: 'u1' } })
  await client.search('keys', { limit: 3, groupIds: ['g1'] })
  await client.ask('When?', { topK: 5, threadId: 't1' }).final()
  expect(server.received.map(({ body }) => body)).toEqual([
    { query: 'keys', limit: 3, group_ids: ['g1'] },
    { query: 'When?', user: { id: 'u1' }, widget_id: 'w1', top_k: 5, thread_id: 't1' },
  ])
})

test('silence ends a request, and a slow reader does not', async () => {
  await using silent = await startScriptedServer(() => undefined)
  expect(await errorOf(open(silent, { timeoutMs: 50, retries: 0 }).search('keys'))).toMatchObject({
    code: 'TIMEOUT',
    errorCode: 'timeout',
  })
  // The rest comes while the reader still looks at the first frame.
  await using server = await startScriptedServer((response) => {
    response.writeHead(200).write(eventOf(START))
    setTimeout(() => response.end(eventOf(DELTA) + eventOf(DONE)), 1_300)
  })
  let text = ''
  for await (const frame of open(server, { timeoutMs: 1_000 }).ask('When?')) {
    await new Promise((wake) => {
      setTimeout(wake, frame.type === 'start' ? 1_200 : 0)
    })
    if (frame.type === 'done') text = frame.text
  }
  expect(text).toBe('Every day ')
})

test('leaving the loop ends the request', async () => {
  const ended = Promise.withResolvers<void>()
  await using server = await startScriptedServer((response) => {
    response.on('close', ended.resolve)
    response.writeHead(200).write(`data: ${JSON.stringify(START)}\n\n`)
  })
  const answer = open(server).ask('When?')
  for await (const frame of answer) if (frame.type === 'start') break
  await ended.promise
  expect(await errorOf(answer.final())).toMatchObject({ code: 'CANCELLED' })
})

test('an abort ends the pause before the next attempt, and an answer that is re-streamed', async () => {
  await using busy = await startScriptedServer(refusal(429, 'RATE_LIMITED', true, { 'retry-after': '8' }))
  const signal = AbortSignal.timeout(100)
  expect(await errorOf(open(busy).search('keys', { signal }))).toMatchObject({ code: 'CANCELLED' })
  const ended = Promise.withResolvers<void>()
  await using server = await startScriptedServer((response) => {
    response.on('close', ended.resolve)
    response.writeHead(200).write(`data: ${JSON.stringify(START)}\n\n`)
  })
  const reader = open(server).ask('When?').toResponse().body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await ended.promise
})

test('an error is re-streamed as the error frame, and read again by a client', async () => {
  await using server = await startScriptedServer(refusal(403, 'GROUP_NOT_ALLOWED', false))
  const outer = createClient({
    endpoint: 'http://own.test',
    knowledgeBaseId: 'kb',
    clientKey: 'none',
    fetch: async () => open(server).ask('When?').toResponse(),
  })
  expect(await errorOf(outer.ask('When?').final())).toMatchObject({
    code: 'GROUP_NOT_ALLOWED',
    message: 'It is GROUP_NOT_ALLOWED.',
    requestId: 'r1',
  })
})

test('a secret in a page is refused, unless it is asked for', () => {
  Object.assign(globalThis, { window: {}, document: {} })
  const secret = {
    endpoint: 'http://x.test',
    knowledgeBaseId: 'kb',
    clientId: 'cw_id_1',
    clientSecret: 'cw_sk_1',
  }
  expect(() => createClient(secret)).toThrow('page')
  expect(() => createManagement({ endpoint: 'http://x.test', accessToken: 'cw_pat_1' })).toThrow('page')
  expect(() => createSocket(secret)).toThrow('page')
  createClient({ ...secret, dangerouslyAllowBrowser: true })
  createSocket({ ...secret, dangerouslyAllowBrowser: true })
  createManagement({ endpoint: 'http://x.test', accessToken: 'cw_pat_1', dangerouslyAllowBrowser: true })
  createClient({ endpoint: 'http://x.test', knowledgeBaseId: 'kb', clientKey: 'cw_pk_1' })
  expect(() => createClient({ endpoint: 'http://x.test', knowledgeBaseId: 'kb' })).toThrow('clientKey')
})
