import { verifies } from '@citewell/spec/verifies'
import { connect } from 'node:net'
import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { startSample, type SampleGiven } from '../../../test/sample-http-service.ts'
import { SSE_LIMITS } from './sse.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

type Sample = Awaited<ReturnType<typeof startSample>>

const ask = (sample: Sample, signal?: AbortSignal) =>
  sample.send('/public/tell', {
    method: 'POST',
    headers: sample.page,
    body: '{}',
    ...(signal !== undefined && { signal }),
  })

/** The frames and comments that a third-party parser reads. */
function parseEvents(pieces: readonly Uint8Array[]) {
  const frames: unknown[] = []
  const comments: string[] = []
  const parser = createParser({
    onEvent: ({ data }) => void frames.push(JSON.parse(data)),
    onComment: (comment) => void comments.push(comment),
  })
  parser.feed(Buffer.concat(pieces).toString())
  return { frames, comments }
}

const parseWhole = async (response: Response) => parseEvents([new Uint8Array(await response.arrayBuffer())])

/** Sends the request over a raw socket and leaves the response unread. */
async function askWithoutReading(sample: Sample) {
  const socket = connect(sample.port, '127.0.0.1')
  socket.pause()
  const head = Object.entries(sample.page).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /public/tell HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n${head.join('')}\r\n{}`)
  socket.on('error', () => undefined)
  return socket
}

/** Frames without end until the signal is aborted; records when that was. */
function endless(): {
  tell: NonNullable<SampleGiven['tell']>
  aborted: Promise<number>
  began: Promise<void>
} {
  const aborted = Promise.withResolvers<number>()
  const began = Promise.withResolvers<void>()
  return {
    aborted: aborted.promise,
    began: began.promise,
    tell: async function* ({ signal }) {
      signal.addEventListener('abort', () => aborted.resolve(performance.now()), { once: true })
      began.resolve()
      await once(signal, 'abort')
      yield { delta: 'too late' }
    },
  }
}

test('a stream has the headers that disable proxy buffering, and one data line per frame', async () => {
  await using sample = await startSample()

  const response = await ask(sample)

  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect(response.headers.get('x-request-id')).not.toBeNull()
  expect(await response.text()).toBe('data: {"delta":"one"}\n\ndata: {"delta":"two"}\n\n')
})

test('a request made in-process without a socket ends when its own signal is aborted', async () => {
  const { tell, aborted, began } = endless()
  await using sample = await startSample({ tell })
  const leaving = new AbortController()
  const request = new Request('http://citewell.internal/public/tell', {
    method: 'POST',
    headers: sample.page,
    body: '{}',
    signal: leaving.signal,
  })
  const response = await sample.fetch(request)
  await began
  leaving.abort()

  expect(await response.text()).toBe('')
  await aborted
  expect(sample.openStreams.count()).toBe(0)
})

verifies('chat.keep-alive', 'comments are sent during silence, and are not frames', async () => {
  const release = Promise.withResolvers<void>()
  await using sample = await startSample({
    sseLimits: { keepAliveMs: 25 },
    tell: async function* () {
      yield { delta: 'one' }
      await release.promise
      yield { delta: 'two' }
    },
  })

  const response = await ask(sample)
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    if (parseEvents(pieces).comments.length >= 2) release.resolve()
  }
  const { frames, comments } = parseEvents(pieces)
  expect(frames).toEqual([{ delta: 'one' }, { delta: 'two' }])
  expect(comments.length).toBeGreaterThanOrEqual(2)
  expect(SSE_LIMITS.keepAliveMs).toBe(15_000)
})

test('frames are sent immediately, without buffering', async () => {
  const release = Promise.withResolvers<void>()
  await using sample = await startSample({
    tell: async function* () {
      yield { delta: 'one' }
      await release.promise
      yield { delta: 'two' }
    },
  })

  const reader = (await ask(sample)).body?.getReader()
  const first = await reader?.read()
  expect(parseEvents([first?.value ?? new Uint8Array()]).frames).toEqual([{ delta: 'one' }])
  release.resolve()
  await reader?.cancel()
})

test('an exception is logged and becomes one error frame, which ends the stream', async () => {
  await using sample = await startSample({
    tell: async function* () {
      yield { delta: 'one' }
      throw new Error('the model broke')
    },
  })

  const { frames } = await parseWhole(await ask(sample))

  expect(frames).toEqual([{ delta: 'one' }, expect.objectContaining({ error_code: 'internal' })])
  expect(sample.logged).toMatchObject([{ err: { message: 'the model broke' } }])
})

test('a reader that disconnects in the middle aborts the work within 250 ms', TIME_LIMIT, async () => {
  const { tell, aborted, began } = endless()
  await using sample = await startSample({
    tell: async function* (asked) {
      yield { delta: 'one' }
      yield* tell(asked)
    },
  })
  const leaving = new AbortController()
  const response = await ask(sample, leaving.signal)
  await response.body?.getReader().read()
  await began

  const leftAt = performance.now()
  leaving.abort()

  expect((await aborted) - leftAt).toBeLessThan(250)
  await expect.poll(() => sample.openStreams.count()).toBe(0)
  expect(sample.logged).toEqual([])
})

test(
  'a reader that disconnects before the first byte aborts the work within 250 ms',
  TIME_LIMIT,
  async () => {
    const { tell, aborted, began } = endless()
    await using sample = await startSample({ tell })
    const socket = await askWithoutReading(sample)
    await began

    const leftAt = performance.now()
    socket.destroy()

    expect((await aborted) - leftAt).toBeLessThan(250)
    await expect.poll(() => sample.openStreams.count()).toBe(0)
  },
)

test('a client that disconnects while the response is being prepared aborts the signal of the handler', async () => {
  const aborted = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  await using sample = await startSample({
    createNote: async ({ signal }) => {
      began.resolve()
      await once(signal, 'abort')
      aborted.resolve()
      throw new Error('stopped')
    },
  })
  const leaving = new AbortController()
  const asking = sample.send('/notes/0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10', {
    method: 'POST',
    headers: sample.team,
    body: '{"words":"hi"}',
    signal: leaving.signal,
  })
  await began.promise
  leaving.abort()

  await expect(asking).rejects.toThrow('abort')
  await aborted.promise
  await expect.poll(() => sample.answered.map(({ status }) => status)).toEqual([499])
  expect(sample.logged).toEqual([])
})

test('a slow reader causes backpressure, and is disconnected when it stops reading', async () => {
  let sent = 0
  const ended = Promise.withResolvers<void>()
  const delta = 'x'.repeat(10_000)
  await using sample = await startSample({
    sseLimits: { stalledMs: 150, maxBufferedBytes: 100_000 },
    tell: async function* () {
      try {
        // 200 MB: more than all buffers between here and the reader hold.
        for (; sent < 20_000; sent += 1) yield { delta }
      } finally {
        ended.resolve()
      }
    },
  })
  const socket = await askWithoutReading(sample)
  await ended.promise
  expect(sent).toBeLessThan(5_000)
  await expect.poll(() => sample.openStreams.count()).toBe(0)
  socket.resume()
  await once(socket, 'close')
})

test('a reader that pauses and resumes receives a large stream complete', async () => {
  await using sample = await startSample({
    sseLimits: { maxBufferedBytes: 20_000 },
    tell: async function* () {
      for (let index = 0; index < 3_000; index += 1) yield { delta: `${index} ${'x'.repeat(1_000)}` }
    },
  })

  const { frames } = await parseWhole(await ask(sample))

  expect(frames).toHaveLength(3_000)
  expect(frames.map((frame) => Number.parseInt((frame as { delta: string }).delta))).toEqual([
    ...Array(3_000).keys(),
  ])
})

test('a stopping service lets streams finish, then ends the others with one frame', async () => {
  const slow = Promise.withResolvers<void>()
  const { tell, began, aborted } = endless()
  let asked = 0
  await using sample = await startSample({
    tell: async function* (given) {
      asked += 1
      if (asked === 1) {
        yield { delta: 'one' }
        await slow.promise
        yield { delta: 'two' }
      } else yield* tell(given)
    },
  })
  const finishing = await ask(sample)
  const hanging = await ask(sample)
  await began

  const stopping = sample.server.stop(100)
  slow.resolve()

  expect((await parseWhole(finishing)).frames).toEqual([{ delta: 'one' }, { delta: 'two' }])
  expect((await parseWhole(hanging)).frames).toEqual([
    expect.objectContaining({ error_code: 'unavailable', retryable: true }),
  ])
  await aborted
  await stopping
  await expect(ask(sample)).rejects.toThrow('fetch failed')
})
