import { once } from 'node:events'
import { SocketFrame } from '@citewell/contract/chat-socket'
import { WebSocket } from 'ws'
import { parseJson } from '../src/kernel/json.ts'

export type SocketFrameRead = Record<string, unknown>

/** A client of the chat socket that validates every frame against the contract. */
export async function openChatClient(address: string, baseId: string, headers: Record<string, string> = {}) {
  const url = `${address.replace('http', 'ws')}/api/v1/public/knowledge-bases/${baseId}/ws`
  const socket = new WebSocket(url, { headers })
  const frames: SocketFrameRead[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const one of waiting) one()
  }
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() })
      wake()
    })
  })
  socket.on('message', (data: Buffer) => {
    const frame = parseJson(data.toString()) as SocketFrameRead
    frames.push(SocketFrame.safeParse(frame).success ? frame : { notInTheContract: frame })
    wake()
  })
  await once(socket, 'open')

  /** Waits for the first frame that matches. */
  async function frame(isIt: (frame: SocketFrameRead) => boolean): Promise<SocketFrameRead> {
    for (;;) {
      const found = frames.find((one) => isIt(one))
      if (found !== undefined) return found
      if (socket.readyState === socket.CLOSED) throw new Error(`closed: ${JSON.stringify(frames)}`)
      await new Promise<void>((resolve) => {
        const done = () => {
          waiting.delete(done)
          resolve()
        }
        waiting.add(done)
      })
    }
  }

  const send = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))

  return {
    socket,
    frames,
    closed,
    send,
    frame,
    /** Sends the key, and waits until it is accepted. */
    signIn: async (key: string) => {
      send({ type: 'auth', client_key: key })
      return await frame(({ type }) => type === 'ready')
    },
    /** The last frame of a question. */
    end: (id: string) =>
      frame((one) => one['id'] === id && (one['type'] === 'done' || one['type'] === 'error')),
    /** The frames of a question, without the fields that the socket adds. */
    framesOf: (id: string) => frames.flatMap(({ type: _type, id: of, ...rest }) => (of === id ? [rest] : [])),
    [Symbol.dispose]: () => socket.terminate(),
  }
}
