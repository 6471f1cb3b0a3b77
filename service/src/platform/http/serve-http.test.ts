import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { SAMPLE_ID, startSample } from '../../../test/sample-http-service.ts'

/** Sends raw bytes, and reads the response until the connection closes. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  return received
}

const bodyOf = (raw: string) => JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4)) as unknown

test('bytes that are not HTTP get a 400 with the usual error body', async () => {
  await using sample = await startSample()

  const raw = await sendRaw(sample.port, 'this is not HTTP\r\n\r\n')

  expect(raw).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(raw).toMatch(/X-Request-Id: [0-9a-f-]{36}/)
  expect(bodyOf(raw)).toMatchObject({ code: 'BAD_REQUEST', error: 'This is not a valid HTTP request.' })
})

test('headers over 16 kB are a 431, and a bad Host header is a 400', async () => {
  await using sample = await startSample()

  const large = await sendRaw(
    sample.port,
    `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
  )
  expect(large).toMatch(/^HTTP\/1\.1 431 /)
  const badHost = await sendRaw(sample.port, 'GET / HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n')
  expect(badHost).toMatch(/^HTTP\/1\.1 400 /)
  expect(bodyOf(badHost)).toMatchObject({ code: 'BAD_REQUEST' })
})

test.for([
  ['an unknown expectation', 'GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n\r\n', 417],
  ['no Host', 'GET /nowhere HTTP/1.1\r\n\r\n', 400],
  ['two Hosts', 'GET /nowhere HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
] as const)('%s is answered with the usual error body', async ([, bytes, status]) => {
  await using sample = await startSample()
  const raw = await sendRaw(sample.port, bytes)
  expect(raw).toContain(`HTTP/1.1 ${status} `)
  expect(raw).toMatch(/X-Request-Id: [0-9a-f-]{36}/)
  expect(bodyOf(raw)).toMatchObject({ code: 'BAD_REQUEST', retryable: false })
})

test('a truncated body does not affect other requests', async () => {
  await using sample = await startSample()
  const socket = connect(sample.port, '127.0.0.1')
  const { authorization } = sample.team
  socket.write(
    `POST /notes/${SAMPLE_ID} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"words"`,
    () => socket.destroy(),
  )
  await expect.poll(() => sample.answered.map(({ status }) => status)).toEqual([499])

  expect(sample.logged).toEqual([])
  expect((await sample.send('/nowhere')).status).toBe(404)
})

test('a stopping service finishes in-flight requests, closes idle connections and accepts no new ones', async () => {
  const release = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  await using sample = await startSample({
    createNote: async () => {
      began.resolve()
      await release.promise
      return { id: SAMPLE_ID, words: 'done', tags: {} }
    },
  })
  // Leaves a connection open and idle.
  await (await sample.send('/nowhere')).text()
  const underWay = sample.send(`/notes/${SAMPLE_ID}`, {
    method: 'POST',
    headers: sample.team,
    body: '{"words":"hi"}',
  })
  await began.promise

  const stopping = sample.server.stop(5_000)
  expect(sample.server.isStopping()).toBe(true)
  await expect(sample.send('/nowhere')).rejects.toThrow('fetch failed')
  const startedAt = performance.now()
  release.resolve()

  expect((await underWay).status).toBe(201)
  await stopping
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('a connection on which nothing was sent does not hold up a stopping service', async () => {
  await using sample = await startSample()
  const unused = connect(sample.port, '127.0.0.1')
  const ended = new Promise<void>((resolve) => unused.once('close', () => resolve()))
  await new Promise<void>((resolve) => unused.once('connect', () => resolve()))
  await sample.send('/nowhere') // Connections are accepted in order: the unused one is open at the service too.

  const startedAt = performance.now()
  await sample.server.stop(60_000)
  await ended

  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

test('starting on a port in use fails', async () => {
  await using sample = await startSample()
  const { serveHttp } = await import('./serve-http.ts')
  const second = serveHttp({
    fetch: () => new Response(),
    host: '127.0.0.1',
    port: sample.port,
    openStreams: sample.openStreams,
  })

  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
