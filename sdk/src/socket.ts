import {
  cancelled,
  CitewellError,
  errorOfFrame,
  isErrorFrame,
  streamCut,
  unreachable,
} from './citewell-error.ts'
import type { AnswerTransport, AskRequest, ClientOptions } from './client-options.ts'
import { createDeadline } from './deadline.ts'
import { isPage, segment, type WireFrame } from './http.ts'

/** What {@link createSocket} takes: the same as `createClient`. */
export interface SocketOptions extends Pick<
  ClientOptions,
  | 'endpoint'
  | 'knowledgeBaseId'
  | 'clientKey'
  | 'clientId'
  | 'clientSecret'
  | 'timeoutMs'
  | 'dangerouslyAllowBrowser'
> {
  /** Where the platform has none, as Node 20: `WebSocket` of the package `ws`. */
  WebSocket?: (new (url: string) => SocketLike) | undefined
}

/** What is used of a WebSocket: that of a platform, or of the package `ws`, whose types differ. */
export interface SocketLike {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  // oxlint-disable-next-line typescript/no-explicit-any -- each implementation has event types of its own
  addEventListener(type: 'open' | 'message' | 'error' | 'close', heard: (event: any) => void): void
}

/** Carries questions over one WebSocket: give it to `createClient` as `transport`. */
export interface AnswerSocket extends AnswerTransport {
  /** Ends the connection and what runs on it. A later question opens another. */
  close(): void
}

/** Questions that the service answers at the same time on one socket. Further ones wait here. */
const AT_ONCE = 4
const NORMAL = 1000

/** What a close code of the service means. Others are a broken connection. */
const CLOSES: Readonly<Record<number, readonly [code: string, message: string, retryable: boolean]>> = {
  1001: ['UNAVAILABLE', 'The service is restarting. Please try again.', true],
  1009: ['PAYLOAD_TOO_LARGE', 'The question is too large.', false],
  4400: ['BAD_REQUEST', 'The request is not valid.', false],
  4401: ['UNAUTHENTICATED', 'A valid key is needed.', false],
  4403: ['FORBIDDEN', 'This key may not do that.', false],
  4404: ['NOT_FOUND', 'There is no such knowledge base.', false],
  4429: ['RATE_LIMITED', 'Too many requests. Try again shortly.', true],
}

function errorOfClose(code: number, wasReady: boolean): CitewellError {
  const known = CLOSES[code]
  if (known === undefined) return wasReady ? streamCut() : unreachable()
  const [name, message, retryable] = known
  return new CitewellError(message, {
    code: name,
    errorCode: retryable ? 'unavailable' : undefined,
    retryable,
  })
}

/** A message as an object; what is none has no type, and concerns no question. */
function parseMessage(data: unknown): Record<string, unknown> {
  try {
    const message: unknown = JSON.parse(String(data))
    return typeof message === 'object' && message !== null ? { ...message } : {}
  } catch {
    return {}
  }
}

/** The frames of one question, in the order in which they came. */
function createInbox() {
  const frames: WireFrame[] = []
  let ended: unknown
  let wake: (() => void) | undefined
  return {
    put: (frame: WireFrame) => {
      frames.push(frame)
      wake?.()
    },
    /** After the frames that are there, the reader gets this error. */
    fail: (error: unknown) => {
      ended ??= error
      wake?.()
    },
    take: async (): Promise<WireFrame> => {
      for (;;) {
        const frame = frames.shift()
        if (frame !== undefined) return frame
        if (ended !== undefined) throw ended as Error
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

type Inbox = ReturnType<typeof createInbox>

interface Connection {
  socket: SocketLike
  /** Counts the messages that came. */
  heard: number
  /** By question. */
  inboxes: Map<string, Inbox>
  ready: Promise<void>
}

/**
 * A WebSocket to the service, opened at the first question and again after it was closed.
 *
 * @throws TypeError if a client secret is given in a page
 * @example
 * const socket = createSocket(options)
 * const client = createClient({ ...options, transport: socket })
 */
export function createSocket(options: SocketOptions): AnswerSocket {
  const { clientKey, clientId, clientSecret, timeoutMs = 60_000 } = options
  if (clientSecret !== undefined && isPage() && options.dangerouslyAllowBrowser !== true)
    throw new TypeError('In a page, a client secret is no secret. Use a public clientKey.')
  const url = new URL(options.endpoint)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${url.pathname.replace(/\/$/, '')}/api/v1/public/knowledge-bases/${segment(options.knowledgeBaseId)}/ws`
  let open: Connection | undefined
  let asked = 0
  let running = 0
  const waiting = new Set<{ go: () => void; leave: () => void }>()

  function connect(): Connection {
    const Socket = options.WebSocket ?? globalThis.WebSocket
    if (Socket === undefined) throw new TypeError('This platform has no WebSocket: give one in the options.')
    const socket = new Socket(url.href)
    const inboxes = new Map<string, Inbox>()
    let lastError: CitewellError | undefined
    let isReady = false
    const ready = new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () =>
        socket.send(
          JSON.stringify({
            type: 'auth',
            ...(clientSecret === undefined
              ? { client_key: clientKey }
              : { client_id: clientId, client_secret: clientSecret }),
          }),
        ),
      )
      socket.addEventListener('message', ({ data }: MessageEvent) => {
        connection.heard += 1
        const { type, id, ...frame } = parseMessage(data)
        if (type === 'ready') {
          isReady = true
          resolve()
        } else if (typeof id === 'string') inboxes.get(id)?.put(frame)
        // An error of no question is followed by the end of the connection.
        else if (type === 'error') lastError = errorOfFrame(frame)
      })
      // What went wrong is in the close event that follows; browsers tell no more.
      socket.addEventListener('error', () => undefined)
      socket.addEventListener('close', ({ code }: CloseEvent) => {
        if (open === connection) open = undefined
        const error = lastError ?? errorOfClose(code, isReady)
        reject(error)
        for (const inbox of inboxes.values()) inbox.fail(error)
      })
    })
    ready.catch(() => undefined)
    const connection: Connection = { socket, heard: 0, inboxes, ready }
    return connection
  }

  /** The next question opens another connection, whether the end of this one is heard of or not. */
  function drop(connection: Connection | undefined): void {
    if (open === connection) open = undefined
    connection?.socket.close(NORMAL)
  }

  /** Waits for a place among those that are answered at the same time. */
  async function enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled(signal.reason)
    if (running < AT_ONCE) {
      running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const end = (run: () => void) => () => {
        waiting.delete(mine)
        signal.removeEventListener('abort', mine.leave)
        run()
      }
      const mine = { go: end(resolve), leave: end(() => reject(cancelled(signal.reason))) }
      signal.addEventListener('abort', mine.leave)
      waiting.add(mine)
    })
  }

  /** Gives the place to the next. */
  function exit(): void {
    const [next] = waiting
    if (next === undefined) running -= 1
    else next.go()
  }

  async function* frames({ body, captchaToken, signal }: AskRequest): AsyncGenerator<WireFrame, void, void> {
    await enter(signal)
    asked += 1
    const id = `q${asked}`
    const inbox = createInbox()
    const deadline = createDeadline(signal, timeoutMs)
    const stop = () => inbox.fail(deadline.signal.reason)
    let connection: Connection | undefined
    let heard = 0
    let isOver = false
    try {
      deadline.signal.throwIfAborted()
      deadline.signal.addEventListener('abort', stop)
      open ??= connect()
      connection = open
      connection.inboxes.set(id, inbox)
      heard = connection.heard
      const abandoned = inbox.take()
      // Either it is ready, or the inbox was failed by the end of the connection or of this question.
      await Promise.race([connection.ready, abandoned])
      heard = connection.heard
      connection.socket.send(JSON.stringify({ ...body, type: 'chat', id, captcha_token: captchaToken }))
      for (let frame = await abandoned; ; frame = await inbox.take()) {
        isOver = frame['done'] === true || isErrorFrame(frame)
        // A socket has no headers: how long to wait is in the frame.
        if (isErrorFrame(frame))
          throw errorOfFrame(frame, { retryAfter: Number(frame['retry_after']) || undefined })
        deadline.touch(0)
        yield frame
        if (isOver) return
        heard = connection.heard
        deadline.touch()
      }
    } finally {
      deadline.clear()
      deadline.signal.removeEventListener('abort', stop)
      connection?.inboxes.delete(id)
      const { code } = (deadline.signal.reason ?? {}) as Partial<CitewellError>
      // A network that changed leaves a connection on which nothing comes, and whose end nobody tells.
      if (code === 'TIMEOUT' && connection?.heard === heard) drop(connection)
      // 1: the socket is open.
      else if (!isOver && connection?.socket.readyState === 1)
        connection.socket.send(JSON.stringify({ type: 'cancel', id }))
      exit()
    }
  }

  /** Ends what runs and what waits: tried again, it would open the next connection. */
  function close(): void {
    for (const { leave } of waiting) leave()
    for (const inbox of open?.inboxes.values() ?? []) inbox.fail(cancelled())
    drop(open)
  }

  return Object.assign(frames, { close })
}
