import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { startSample } from '../../../test/sample-http-service.ts'
import { readForm } from './form-pages.ts'
import { limitForm } from './limit-form.ts'

/** Short enough for a test, and in the same order as the real ones. */
const TIMES = { bodyMs: 400, slowestBytesPerSecond: 2_000, leftoverMs: 150, stalledMs: 600, sweepMs: 20 }

/** Sends the beginning of a request. The response is complete when the connection has closed. */
function begin(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  socket.write(text)
  const since = performance.now()
  // Not `once` of `node:events`, which fails at an error: a reset after the response only says that the client wrote on.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => ({
    received,
    ms: performance.now() - since,
  }))
  return { socket, closed }
}

const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n\r\n`
const every = (socket: Socket, ms: number, bytes: number) => {
  const timer = setInterval(() => socket.write('x'.repeat(bytes)), ms)
  // A client that writes on after the response may lose it to a reset.
  socket.once('data', () => clearInterval(timer))
  socket.once('close', () => clearInterval(timer))
}

verifies(
  'limits.slow-bodies',
  'a body that does not arrive is refused after a timeout at every address',
  async () => {
    await using sample = await startSample({ serving: { times: TIMES } })
    const { authorization } = sample.team
    const json = `Authorization: ${authorization}\r\nContent-Type: application/json`
    const form = 'Content-Type: application/x-www-form-urlencoded'
    const ended = await Promise.all(
      [
        head('/notes/0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10', `${json}\r\nContent-Length: 1000`),
        head('/notes/0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10', `${json}\r\nTransfer-Encoding: chunked`),
        head(
          '/files',
          `Authorization: ${authorization}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000`,
        ),
        head('/nowhere', `${form}\r\nContent-Length: 1000`),
        head('/public/tell', 'Content-Type: application/json\r\nContent-Length: 1000'),
      ].map(async (request) => {
        const { socket, closed } = begin(sample.port, request)
        every(socket, 50, 1)
        return await closed
      }),
    )
    for (const { received, ms } of ended) {
      expect(received).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(ms).toBeLessThan(5_000)
    }
    expect(ended[0]?.received).toMatch(/^HTTP\/1\.1 408 /)
    expect(ended[0]?.received).toContain('"code":"BAD_REQUEST"')
    expect(sample.logged).toEqual([])
  },
)

verifies(
  'limits.slow-bodies',
  'a slow upload is accepted above the minimum rate and refused below it',
  async () => {
    await using sample = await startSample({
      serving: { times: TIMES, takesLong: ({ url }) => url === '/files' },
    })
    const of = (bytes: number) => {
      const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n`
      const length = part.length + bytes + '\r\n--b--\r\n'.length
      return begin(
        sample.port,
        `${head('/files', `Authorization: ${sample.team.authorization}\r\nContent-Type: multipart/form-data; boundary=b\r\nConnection: close\r\nContent-Length: ${length}`)}${part}`,
      )
    }
    const [steady, trickling] = [of(8_000), of(8_000)]
    every(trickling.socket, 100, 10)
    for (let sent = 0; sent < 8_000; sent += 500) {
      steady.socket.write('x'.repeat(500))
      await new Promise((wake) => {
        setTimeout(wake, 100)
      })
    }
    steady.socket.write('\r\n--b--\r\n')
    const [kept, cut] = await Promise.all([steady.closed, trickling.closed])
    expect(kept.received).toMatch(/^HTTP\/1\.1 200 /)
    expect(kept.ms).toBeGreaterThan(TIMES.bodyMs * 2)
    expect(cut.received).toMatch(/^HTTP\/1\.1 408 /)
  },
)

verifies('limits.slow-readers', 'a client that does not read its response is disconnected', async () => {
  await using sample = await startSample({
    createNote: () => ({
      id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
      words: 'x'.repeat(30_000_000),
      tags: {},
    }),
    serving: { times: TIMES },
  })
  const body = '{"words":"hi"}'
  const socket = connect(sample.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `${head('/notes/0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10', `Authorization: ${sample.team.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`)}${body}`,
  )
  await once(socket, 'readable')
  await new Promise((wake) => {
    setTimeout(wake, TIMES.stalledMs * 4)
  })
  let bytes = 0
  for await (const chunk of socket) bytes += (chunk as Buffer).byteLength
  expect(bytes).toBeLessThan(30_000_000)
})

verifies('limits.connections', 'connections are limited per address and in total', async () => {
  const peers = ['a', 'a', 'a', 'b', undefined, undefined]
  let at = 0
  await using sample = await startSample({
    serving: { limits: { most: 5, mostFromAddress: 2, countedAs: () => peers[at++] } },
  })
  const opened: { socket: Socket; isOpen: boolean }[] = []
  for (const _ of peers) {
    const socket = connect(sample.port, '127.0.0.1')
    const one = { socket, isOpen: true }
    socket.on('error', () => {})
    socket.once('close', () => {
      one.isOpen = false
    })
    socket.resume()
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    opened.push(one)
    await new Promise((wake) => {
      setTimeout(wake, 50)
    })
  }
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, true, false, true, true, true])
  const late = connect(sample.port, '127.0.0.1')
  late.on('error', () => {})
  late.resume()
  await once(late, 'close')
  for (const { socket } of opened) socket.destroy()
})

verifies(
  'limits.slow-bodies',
  'a client that disconnects in the middle of a form causes no error log',
  async () => {
    await using sample = await startSample({
      serving: { times: TIMES },
      pages: [
        (app) => {
          app.post('/page', limitForm, async (context) => {
            await readForm(context)
            return context.text('read')
          })
        },
      ],
    })
    const form = 'Content-Type: application/x-www-form-urlencoded'
    const [slow, gone] = [
      begin(sample.port, head('/page', `${form}\r\nTransfer-Encoding: chunked`)),
      begin(sample.port, head('/page', `${form}\r\nContent-Length: 100`)),
    ]
    setTimeout(() => gone.socket.destroy(), 50)
    expect((await slow.closed).received).toMatch(/^HTTP\/1\.1 408 /)
    await expect.poll(() => sample.answered.filter(({ status }) => status === 499).length).toBe(2)
    expect(sample.logged).toEqual([])
  },
)

test('two Host headers are refused', async () => {
  await using sample = await startSample()
  const { closed } = begin(sample.port, 'GET /nowhere HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n')
  expect((await closed).received).toMatch(/^HTTP\/1\.1 400 /)
})
