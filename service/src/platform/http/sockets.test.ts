import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createConnection, type AddressInfo, type Socket as Connection } from 'node:net'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createOpenStreams } from './open-streams.ts'
import type { Socket, SocketHandler } from './socket.ts'
import { createSockets } from './sockets.ts'

const PATH = '/api/v1/public/knowledge-bases/x/ws'
const TIMES = { sweepMs: 10, pingMs: 60_000, stalledMs: 100, maxBufferedBytes: 65_536, closingMs: 50 }
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as never

const idle: Omit<SocketHandler, 'onText'> = { isBusy: () => false, onStop: () => {} }

/** A server with one WebSocket address and this handler. */
async function listen(
  open: (socket: Socket) => SocketHandler,
  times = TIMES,
  more: Partial<Parameters<typeof createSockets>[0]> = {},
) {
  const openStreams = createOpenStreams()
  const sockets = createSockets({
    routes: [{ endpoint: ENDPOINTS.openChatSocket, open, maxMessageBytes: 1_024 }],
    log,
    openStreams,
    isStopping: () => false,
    times,
    ...more,
  })
  const server = createServer()
  server.on('upgrade', sockets.upgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    sockets,
    openStreams,
    [Symbol.asyncDispose]: async () => {
      sockets.cutAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A raw WebSocket client: it answers no pings, and can stop reading. */
async function openByHand(port: number): Promise<Connection> {
  const connection = createConnection(port, '127.0.0.1')
  connection.write(
    `GET ${PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await once(connection, 'data')
  return connection
}

verifies(
  'websocket.slow-reader-is-cut',
  'a reader that reads nothing causes backpressure, and is then disconnected',
  async () => {
    let sent = 0
    let ended: Promise<void> = Promise.resolve()
    await using server = await listen((socket) => {
      const frame = { delta: 'x'.repeat(32_768) }
      ended = (async () => {
        while (!socket.signal.aborted) {
          await socket.send(frame)
          sent += 1
          await new Promise((resolve) => setImmediate(resolve))
        }
      })()
      return { ...idle, onText: async () => {} }
    })
    const connection = await openByHand(server.port)
    connection.pause()
    await ended
    // What the kernel buffers for both ends, plus 64 kB buffered here: not the memory of the process.
    expect(sent).toBeLessThan(1_000)
    expect(server.sockets.count()).toBe(0)
    expect(server.openStreams.count()).toBe(0)
    connection.destroy()
  },
)

verifies(
  'websocket.ping',
  'a client that answers pings stays connected, one that does not is disconnected',
  async () => {
    // Long enough for the client to answer in this process, however busy it is.
    await using server = await listen(() => ({ ...idle, onText: async () => {} }), { ...TIMES, pingMs: 400 })
    const alive = new WebSocket(`ws://127.0.0.1:${server.port}${PATH}`)
    let pings = 0
    const fourthPing = new Promise<void>((resolve) => {
      alive.on('ping', () => {
        pings += 1
        if (pings === 4) resolve()
      })
    })
    const silent = await openByHand(server.port)
    silent.resume()
    await once(silent, 'close')
    await fourthPing
    expect(alive.readyState).toBe(alive.OPEN)
    alive.terminate()
  },
)

test('messages are delivered one at a time and in order, however many arrive together', async () => {
  const seen: string[] = []
  let atOnce = 0
  let most = 0
  let all = () => {}
  const allSeen = new Promise<void>((resolve) => {
    all = resolve
  })
  await using server = await listen(() => ({
    ...idle,
    onText: async (text) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(text)
      atOnce -= 1
      if (seen.length === 100) all()
    },
  }))
  const client = new WebSocket(`ws://127.0.0.1:${server.port}${PATH}`)
  await once(client, 'open')
  for (let place = 0; place < 100; place += 1) client.send(String(place))
  await allSeen
  expect(seen).toEqual(Array.from({ length: 100 }, (_, place) => String(place)))
  expect(most).toBe(1)
  client.terminate()
})

test('an internal error closes the socket with 1011 without its message', async () => {
  await using server = await listen(() => ({
    ...idle,
    onText: () => Promise.reject(new Error('the password is 1234')),
  }))
  const client = new WebSocket(`ws://127.0.0.1:${server.port}${PATH}`)
  await once(client, 'open')
  client.send('hello')
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  expect([code, reason.toString()]).toEqual([1011, 'INTERNAL'])
})

/** Sends a raw upgrade request and reads the response; the client's side stays open. */
async function askToUpgrade(
  port: number,
  path: string,
  more = ['Sec-WebSocket-Version: 13'],
): Promise<{ answer: string; connection: Connection }> {
  const connection = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true })
  const lines = [`GET ${path} HTTP/1.1`, 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade', ...more]
  connection.write(`${lines.join('\r\n')}\r\n\r\n`)
  let answer = ''
  connection.on('data', (chunk) => {
    answer += String(chunk)
  })
  await once(connection, 'end')
  return { answer, connection }
}

test('a refused upgrade gets a reason, and does not keep the service from stopping', async () => {
  const connections: Connection[] = []
  {
    await using served = await listen(() => ({ ...idle, onText: async () => {} }))
    for (const [path, code] of [
      ['/elsewhere', 'NOT_FOUND'],
      [PATH, 'BAD_REQUEST'],
    ] as const) {
      const { answer, connection } = await askToUpgrade(served.port, path)
      expect(answer).toContain(`"code":"${code}"`)
      expect(answer).toContain('X-Request-Id: ')
      connections.push(connection)
    }
    // Closing the server waits for every connection, and these clients never close theirs.
  }
  expect(connections.map(({ writable }) => writable)).toEqual([true, true])
  for (const connection of connections) connection.destroy()
}, 6_000)

verifies(
  'websocket.version',
  'another version of the protocol is refused with the one that there is',
  async () => {
    let opened = 0
    await using served = await listen(() => {
      opened += 1
      return { ...idle, onText: async () => {} }
    })
    const key = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`
    const versions = [
      ['Sec-WebSocket-Version: 8'],
      ['Sec-WebSocket-Version: 14'],
      ['Sec-WebSocket-Version: 0'],
      ['Sec-WebSocket-Version: 13, 8'],
      ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Version: 8'],
      ['Sec-WebSocket-Version: '],
      ['Sec-WebSocket-Version: 013'],
      ['Sec-WebSocket-Version: 1e1'],
      [],
    ]
    for (const version of versions) {
      const { answer, connection } = await askToUpgrade(served.port, PATH, [key, ...version])
      connection.destroy()
      const [status, ...headers] = answer.split('\r\n')
      expect([version, status]).toEqual([version, 'HTTP/1.1 426 Upgrade Required'])
      expect(headers).toContain('Sec-WebSocket-Version: 13')
      expect(headers).toContain('Upgrade: websocket')
      expect(answer).toContain('"code":"UPGRADE_REQUIRED"')
    }
    expect(opened).toBe(0)
    ;(await openByHand(served.port)).destroy()
    expect(opened).toBe(1)
  },
)

verifies(
  'limits.sockets-end',
  'a reader that does not answer a close frame is disconnected soon after',
  async () => {
    await using service = await listen((socket) => {
      socket.close(4_401, 'Send auth first.')
      return { ...idle, onText: () => Promise.resolve() }
    })
    const connection = await openByHand(service.port)
    connection.resume()
    await once(connection, 'close')
    await expect.poll(() => service.sockets.count()).toBe(0)
  },
)

verifies(
  'limits.connections',
  'sockets per address are limited, and closing one frees its place',
  async () => {
    const open = () => ({ ...idle, onText: () => Promise.resolve() })
    const more = {
      mostFromAddress: 3,
      addressOf: ({ forwardedFor }: { forwardedFor: string | undefined }) => forwardedFor,
    }
    await using service = await listen(open, TIMES, more)
    const statusOf = async (from: string) => {
      const connection = createConnection(service.port, '127.0.0.1')
      connection.write(
        `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      )
      const [head] = (await once(connection, 'data')) as [Buffer]
      return { connection, status: Number(String(head).slice(9, 12)) }
    }
    const opened = []
    for (const from of ['a', 'a', 'a', 'a', 'b']) opened.push(await statusOf(from))
    const [first] = opened
    first?.connection.destroy()
    await expect.poll(() => service.sockets.count()).toBe(3)
    const again = await statusOf('a')
    expect(opened.map(({ status }) => status)).toEqual([101, 101, 101, 429, 101])
    expect(again.status).toBe(101)
    for (const { connection } of [...opened, again]) connection.destroy()
  },
)
