import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeMessage {
  role: string
  content: string
}

/** One received call. Times are milliseconds of `performance.now()`. */
export interface FakeLlmRequest {
  body: { model: string; messages: FakeMessage[]; stream: boolean; [field: string]: unknown }
  headers: IncomingMessage['headers']
  receivedAt: number
  /** When the caller closed the connection before the end of the answer. */
  abortedAt: number | undefined
}

interface Exchange {
  request: FakeLlmRequest
  response: ServerResponse
}

/** The model's behaviour for one call. */
export type FakeBehaviour = (exchange: Exchange) => Promise<void> | void

const chunkOf = (delta: Record<string, unknown>, finishReason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })}\n\n`

const openStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function sayPieces(response: ServerResponse, pieces: readonly string[]) {
  openStream(response)
  response.write(chunkOf({ role: 'assistant', content: '' }))
  for (const piece of pieces) {
    response.write(chunkOf({ content: piece }))
    await turn()
  }
}

const finish = (response: ServerResponse, reason: string) =>
  response.end(`${chunkOf({}, reason)}data: [DONE]\n\n`)

/** Sends the pieces and stops, as a well-behaved model does. */
const says =
  (...pieces: string[]): FakeBehaviour =>
  async ({ response }) => {
    await sayPieces(response, pieces)
    finish(response, 'stop')
  }

/** Sends a text computed from the messages that it received. */
const replies =
  (reply: (messages: FakeMessage[]) => string): FakeBehaviour =>
  async (exchange) =>
    says(...(reply(exchange.request.body.messages).match(/[\s\S]{1,12}/g) ?? []))(exchange)

/** Refuses with an HTTP status and OpenAI's error body. */
const refuses =
  (
    status: number,
    error: { message?: string; type?: string; code?: string | null } = {},
    headers: Record<string, string> = {},
  ): FakeBehaviour =>
  ({ response }) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: 'no', type: null, param: null, code: null, ...error } }))
  }

const numbersIn = (messages: FakeMessage[]) =>
  [...(messages.at(-1)?.content ?? '').matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]))

/** Behaviours by name. Pass them to `startFakeLlm` or `script`, one for each call; the last one is used for all further calls. */
export const fakeLlm = {
  says,
  replies,
  refuses,
  rateLimited: (headers: Record<string, string> = {}) =>
    refuses(429, { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' }, headers),
  outOfQuota: () => refuses(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
  paymentRequired: () => refuses(402, { message: 'Insufficient credits' }),

  /** Sends the pieces, then nothing more, and leaves the connection open. */
  stallsAfter:
    (...pieces: string[]): FakeBehaviour =>
    async ({ response }) =>
      sayPieces(response, pieces),

  /** Sends a piece, and the rest once `isRead` resolves. */
  saysInTwo:
    (first: string, isRead: Promise<unknown>, rest: string): FakeBehaviour =>
    async ({ response }) => {
      await sayPieces(response, [first])
      await isRead
      response.write(chunkOf({ content: rest }))
      finish(response, 'stop')
    },

  /** Accepts the call and never answers, not even with headers. */
  neverAnswers: (): FakeBehaviour => () => {},

  /** Sends the pieces, then something that is not JSON. */
  saysGarbageAfter:
    (...pieces: string[]): FakeBehaviour =>
    async ({ response }) => {
      await sayPieces(response, pieces)
      response.end(`data: {"choices": [{"delta": \n\ndata: [DONE]\n\n`)
    },

  /** Sends the pieces, then an error in the middle of the stream. */
  failsAfter:
    (error: Record<string, unknown>, ...pieces: string[]): FakeBehaviour =>
    async ({ response }) => {
      await sayPieces(response, pieces)
      response.end(`data: ${JSON.stringify({ error })}\n\n`)
    },

  /** Sends the pieces in writes of a single byte each: characters, JSON and events are split everywhere. */
  saysByteByByte:
    (...pieces: string[]): FakeBehaviour =>
    async ({ response }) => {
      openStream(response)
      response.socket?.setNoDelay(true)
      const wire = pieces.map((piece) => chunkOf({ content: piece })).join('') + chunkOf({}, 'stop')
      for (const byte of Buffer.from(`${wire}data: [DONE]\n\n`)) {
        response.write(Buffer.of(byte))
        await turn()
      }
      response.end()
    },

  /** Sends the pieces and finishes with a reason other than `stop`: `length`, `content_filter`. */
  finishesWith:
    (reason: string, ...pieces: string[]): FakeBehaviour =>
    async ({ response }) => {
      await sayPieces(response, pieces)
      finish(response, reason)
    },

  /** Finishes correctly, but closes without the `[DONE]` line. */
  forgetsDone:
    (...pieces: string[]): FakeBehaviour =>
    async ({ response }) => {
      await sayPieces(response, pieces)
      response.end(chunkOf({}, 'stop'))
    },

  /** Sends the pieces and ends the stream normally, with neither a finish reason nor `[DONE]`. */
  endsWithoutReason:
    (...pieces: string[]): FakeBehaviour =>
    async ({ response }) => {
      await sayPieces(response, pieces)
      response.end()
    },

  /** Sends these texts as they are, and keeps the connection open. */
  sendsRaw:
    (...texts: string[]): FakeBehaviour =>
    async ({ response }) => {
      openStream(response)
      for (const text of texts) {
        response.write(text)
        await turn()
      }
    },

  /** Sends the pieces, then breaks the connection. */
  hangsUpAfter:
    (...pieces: string[]): FakeBehaviour =>
    async ({ response }) => {
      await sayPieces(response, pieces)
      response.destroy()
    },

  /** Sends a piece every `everyMs` without end, until the caller disconnects. */
  neverEnds:
    (piece: string, everyMs = 5): FakeBehaviour =>
    async ({ response }) => {
      openStream(response)
      const timer = setInterval(() => response.write(chunkOf({ content: piece })), everyMs)
      await once(response, 'close')
      clearInterval(timer)
    },

  /** Repeats everything that it received, so that a leak from the prompt appears in the answer. */
  echoesPrompt: () => replies((messages) => messages.map(({ content }) => content).join('\n')),

  /** Makes a statement with a citation that was never offered. */
  citesWhatIsNotThere: () => says('The moon is made of cheese ', '[97].'),

  /** Writes sentences that cite one of the offered numbers, whether it supports them or not. */
  citesAtRandom: (random: () => number) =>
    replies((messages) => {
      const numbers = numbersIn(messages)
      const any = () => numbers[Math.floor(random() * numbers.length)] ?? 1
      return `Bananas are yellow [${any()}]. Whales sing at night [${any()}][${any()}].`
    }),
} as const

export interface FakeLlm extends AsyncDisposable {
  /** For `baseUrl` settings: ends with `/v1`. */
  baseUrl: string
  /** All calls so far. */
  requests: FakeLlmRequest[]
  /** Sets the behaviours for the next calls; the last one is used for all further calls. */
  script(...behaviours: FakeBehaviour[]): void
  /** Resolves when a caller has disconnected before the end of its answer. */
  nextAbort(): Promise<FakeLlmRequest>
}

/** A language model on a real port with OpenAI's chat completions, with scripted misbehaviour. */
export async function startFakeLlm(...behaviours: FakeBehaviour[]): Promise<FakeLlm> {
  const requests: FakeLlmRequest[] = []
  const waiting: ((request: FakeLlmRequest) => void)[] = []
  let queue = behaviours

  async function answer(message: IncomingMessage, response: ServerResponse) {
    const parts: Buffer[] = []
    for await (const part of message) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString()) as FakeLlmRequest['body']
    const request: FakeLlmRequest = {
      body,
      headers: message.headers,
      receivedAt: performance.now(),
      abortedAt: undefined,
    }
    requests.push(request)
    response.on('error', () => {})
    response.on('close', () => {
      if (response.writableEnded || response.errored) return
      request.abortedAt = performance.now()
      for (const resolve of waiting.splice(0)) resolve(request)
    })
    const [next, ...later] = queue
    if (later.length > 0) queue = later
    await (next ?? says('Hello.'))({ request, response })
  }

  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (...next) => {
      queue = next
    },
    nextAbort: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
