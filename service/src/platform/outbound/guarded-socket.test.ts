import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createOutbound } from './outbound.ts'

const frameOf = (text: string) => Buffer.concat([Buffer.of(0x81, text.length), Buffer.from(text)])

/** A server that sends its first message in the same segment as its greeting. */
async function startHastyServer(first: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (request) => {
      const key = /sec-websocket-key: (\S+)/i.exec(request.toString())?.[1] ?? ''
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      const greeting = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
      socket.write(Buffer.concat([Buffer.from(greeting), frameOf(first)]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function openOutbound() {
  const outbound = createOutbound({ allowPrivateNetwork: true })
  onTestFinished(() => outbound.close())
  return outbound
}

const common = { chosenBy: 'customer', signal: new AbortController().signal, maxBytes: 1_000 } as const

test('a message that comes together with the greeting is heard when the caller has the connection', async () => {
  const address = await startHastyServer('first')
  const heard = Promise.withResolvers<string>()
  const socket = await openOutbound().openSocket(address, {
    ...common,
    onText: (text) => {
      socket.close()
      heard.resolve(text)
    },
  })
  expect(await heard.promise).toBe('first')
})

test('what a reader of messages throws ends the connection, and nothing else', async () => {
  const address = await startHastyServer('poison')
  const socket = await openOutbound().openSocket(address, {
    ...common,
    onText: () => {
      throw new Error('It cannot be read.')
    },
  })
  await expect(socket.closed).resolves.toBe(1006)
})

test.each(['ada@', ':secret@', 'ada:secret@'])(
  'an address with %s before its host is refused',
  async (before) => {
    const address = (await startHastyServer('first')).replace('ws://', `ws://${before}`)
    const opening = openOutbound().openSocket(address, { ...common, onText: () => undefined })
    await expect(opening).rejects.toMatchObject({ reason: 'userinfo' })
  },
)
