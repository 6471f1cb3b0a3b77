import { verifies } from '@citewell/spec/verifies'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ErrorBody } from '@citewell/contract/errors'
import { Refusal } from '../../kernel/refusal.ts'
import { SAMPLE_ID, startSample } from '../../../test/sample-http-service.ts'

/** Sends raw bytes, and reads the response until the connection closes. */
async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  return received
}

test('every response has a request id: the caller’s own if it is valid, else a new one', async () => {
  await using sample = await startSample()
  const idOf = async (sent: string) =>
    (await sample.send('/nowhere', { headers: { 'x-request-id': sent } })).headers.get('x-request-id')

  expect(await idOf('trace-1.2:3')).toBe('trace-1.2:3')
  expect(await idOf('two words')).toMatch(/^[0-9a-f]{8}-/)
  expect(await idOf('x'.repeat(129))).toMatch(/^[0-9a-f]{8}-/)
  expect((await sample.send('/nowhere')).headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-/)
})

test('an unknown address is a 404 with the usual error body', async () => {
  await using sample = await startSample()

  const response = await sample.send('/nowhere', { headers: { 'x-request-id': 'mine' } })

  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await response.json()).toEqual({
    error: 'There is nothing at this address.',
    code: 'NOT_FOUND',
    request_id: 'mine',
    retryable: false,
  })
})

test('an unsupported method is a 405 that lists the supported ones', async () => {
  await using sample = await startSample()

  const response = await sample.send(`/notes/${SAMPLE_ID}`, { method: 'PUT' })

  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  expect(ErrorBody.parse(await response.json()).code).toBe('METHOD_NOT_ALLOWED')
})

test('an unauthenticated request is a 401 with WWW-Authenticate, before its body is read', async () => {
  await using sample = await startSample()

  const response = await sample.send(`/notes/${SAMPLE_ID}`, { method: 'POST', body: 'not json' })

  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="citewell"')
})

test('a refusal is sent with its message, its details and Retry-After', async () => {
  await using sample = await startSample({
    createNote: () => {
      throw new Refusal('RATE_LIMITED', { because: 'Slowly.', retryAfterSeconds: 2.1 })
    },
  })

  const response = await sample.send(`/notes/${SAMPLE_ID}`, {
    method: 'POST',
    headers: sample.team,
    body: '{"words":"hi"}',
  })

  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('3')
  expect(await response.json()).toMatchObject({ error: 'Slowly.', code: 'RATE_LIMITED', retryable: true })
  expect(sample.logged).toEqual([])
})

verifies(
  'errors.internal',
  'an unexpected error is a 500 without its message, and is logged with the request id',
  async () => {
    await using sample = await startSample({
      createNote: () => {
        throw new Error('password of the database: 1234')
      },
    })

    const response = await sample.send(`/notes/${SAMPLE_ID}`, {
      method: 'POST',
      headers: { ...sample.team, 'x-request-id': 'r-9' },
      body: '{"words":"hi"}',
    })
    const body = await response.text()

    expect(response.status).toBe(500)
    expect(body).not.toContain('1234')
    expect(JSON.parse(body)).toMatchObject({ code: 'INTERNAL', request_id: 'r-9' })
    expect(sample.logged).toMatchObject([
      { request_id: 'r-9', err: { message: 'password of the database: 1234' } },
    ])
  },
)

test('a response with a missing or undeclared field fails in tests', async () => {
  const answers = [
    { id: SAMPLE_ID, words: 'hi' },
    { id: SAMPLE_ID, words: 'hi', tags: {}, secret_hash: 'x' },
  ]
  await using sample = await startSample({ createNote: () => answers.shift() })
  const make = () =>
    sample.send(`/notes/${SAMPLE_ID}`, {
      method: 'POST',
      headers: sample.team,
      body: '{"words":"hi"}',
    })

  expect((await make()).status).toBe(500)
  expect((await make()).status).toBe(500)
  expect(sample.logged.map((one) => (one as { err: Error }).err.message)).toEqual([
    expect.stringContaining('does not match its schema. tags:'),
    expect.stringContaining('has a field that is not in its schema: .secret_hash'),
  ])
})

test('HEAD is answered like GET without a body, and starts no stream', async () => {
  await using sample = await startSample()

  const raw = await sendRaw(sample.port, 'HEAD /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')

  expect(raw).toMatch(/^HTTP\/1\.1 404 /)
  expect(raw.endsWith('\r\n\r\n')).toBe(true)
  expect(sample.openStreams.count()).toBe(0)
})

test('preflights are answered for public addresses only, and a page reads only responses for its allowed origin', async () => {
  await using sample = await startSample({ allowedOrigins: ['https://*.example.com'] })
  const ask = (path: string, method: string, origin: string) =>
    sample.send(path, {
      method,
      headers: { ...sample.page, origin },
      ...(method === 'POST' && { body: '{}' }),
    })

  const preflight = await ask('/public/tell', 'OPTIONS', 'https://docs.example.com')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('https://docs.example.com')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Client-Key')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()

  const allowed = await ask('/public/tell', 'POST', 'https://docs.example.com')
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://docs.example.com')
  expect(allowed.headers.get('vary')).toBe('Origin')
  await allowed.text()

  const foreign = await ask('/public/tell', 'POST', 'https://evil.com')
  expect(foreign.status).toBe(403)
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull()

  const team = await ask(`/notes/${SAMPLE_ID}`, 'OPTIONS', 'https://docs.example.com')
  expect(team.status).toBe(204)
  expect(team.headers.get('access-control-allow-origin')).toBeNull()
})

test('metrics record each request by its route pattern, never by its address', async () => {
  await using sample = await startSample()

  await sample.send(`/notes/${SAMPLE_ID}`, {
    method: 'POST',
    headers: sample.team,
    body: '{"words":"hi"}',
  })
  await sample.send('/nowhere/4711')

  expect(sample.answered.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', '/notes/{id}', 201],
    ['GET', 'unmatched', 404],
  ])
})
