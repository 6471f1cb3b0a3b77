import type { Answer } from './answer.ts'
import type { AnswerDone } from './answer-frames.ts'
import { CitewellError } from './citewell-error.ts'
import type { AskOptions, Client } from './client.ts'
import type { Citation } from './records.ts'

/** The `data` of the part `data-citewell` of a message. While the text is written, only `found` is set. */
export interface CitewellData {
  /** Pages that were found for the question. */
  found: Citation[]
  /** What the answer cites: `[n]` in the text refers to the citation with index n. */
  citations?: Citation[] | undefined
  /** False when the knowledge base does not cover the question. */
  covered?: boolean | undefined
  /** 0 to 1. */
  confidence?: number | undefined
  /** For rating the answer. */
  messageId?: string | undefined
  /** For continuing the conversation; the transport reads it from here. */
  threadId?: string | undefined
  /** The final text, only if it differs from the streamed one: show it in place of the text parts. */
  answer?: string | undefined
}

/** The chunks that an answer consists of: those of the AI SDK's UI message stream, in their shape, without depending on it. */
export type CitewellChunk =
  | { type: 'start' }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  | { type: 'source-url'; sourceId: string; url: string; title: string }
  | { type: 'data-citewell'; id: string; data: CitewellData }
  | { type: 'finish' }
  | { type: 'abort' }
  | { type: 'error'; errorText: string }

const TEXT = 'answer'
const DATA = 'citewell'

async function* chunksOf(answer: Answer): AsyncGenerator<CitewellChunk, void, void> {
  let found: Citation[] = []
  let isWriting = false
  const data = (more: Omit<CitewellData, 'found'> = {}): CitewellChunk => ({
    type: 'data-citewell',
    id: DATA,
    data: { found, ...more },
  })
  yield { type: 'start' }
  for await (const frame of answer) {
    if (frame.type === 'start') {
      found = frame.citations
      yield data()
    } else if (frame.type === 'delta') {
      if (!isWriting) yield { type: 'text-start', id: TEXT }
      isWriting = true
      yield { type: 'text-delta', id: TEXT, delta: frame.delta }
    } else {
      if (isWriting) yield { type: 'text-end', id: TEXT }
      yield* sourcesOf(frame)
      const { citations, covered, confidence, messageId, threadId, answer } = frame
      yield data({ citations, covered, confidence, messageId, threadId, answer })
      yield { type: 'finish' }
    }
  }
}

/** Only what the final text cites: the pages that were merely found are no sources of it. */
function* sourcesOf({ citations }: AnswerDone): Generator<CitewellChunk> {
  for (const { index, url, title } of citations)
    yield { type: 'source-url', sourceId: String(index), url, title }
}

/**
 * An answer as chunks of the AI SDK. The text comes as it was streamed; `data-citewell` carries what the AI SDK has no part for, first with
 * the pages that were found, and again, under the same id, with the end of the answer.
 */
export function toUIMessageStream(answer: Answer): ReadableStream<CitewellChunk> {
  const chunks = chunksOf(answer)
  return new ReadableStream<CitewellChunk>({
    pull: async (controller) => {
      try {
        const step = await chunks.next()
        if (step.done === true) controller.close()
        else controller.enqueue(step.value)
      } catch (error) {
        const isStopped = error instanceof CitewellError && error.code === 'CANCELLED'
        // Other errors may tell of the machine that it runs on.
        const errorText = error instanceof CitewellError ? error.message : 'Something went wrong here.'
        controller.enqueue(isStopped ? { type: 'abort' } : { type: 'error', errorText })
        controller.close()
      }
    },
    cancel: async () => {
      answer.abort()
      await chunks.return()
    },
  })
}

/** The same as a response of a server, for `DefaultChatTransport` in a page. */
export function toUIMessageResponse(answer: Answer, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers)
  headers.set('content-type', 'text/event-stream')
  headers.set('cache-control', 'no-cache, no-transform')
  headers.set('x-accel-buffering', 'no')
  headers.set('x-vercel-ai-ui-message-stream', 'v1')
  const events = new TransformStream<CitewellChunk, string>({
    transform: (chunk, controller) => controller.enqueue(`data: ${JSON.stringify(chunk)}\n\n`),
    flush: (controller) => controller.enqueue('data: [DONE]\n\n'),
  })
  const body = toUIMessageStream(answer).pipeThrough(events).pipeThrough(new TextEncoderStream())
  return new Response(body, { ...init, headers })
}

/** A message of `useChat`, as far as it matters here. */
export interface ChatMessage {
  role: string
  parts: readonly { type: string; text?: unknown; data?: unknown }[]
}

/** The text of the last question. */
export function questionOf(messages: readonly ChatMessage[]): string {
  const parts = messages.filter(({ role }) => role === 'user').at(-1)?.parts ?? []
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}

/** The conversation that the messages belong to: the one that an answer told last. One that was stopped or failed told none. */
export function threadOf(messages: readonly ChatMessage[]): string | undefined {
  const told = messages
    .flatMap(({ parts }) => parts)
    .flatMap(({ type, data }) => {
      const { threadId } = (type === 'data-citewell' ? (data ?? {}) : {}) as { threadId?: unknown }
      return typeof threadId === 'string' ? [threadId] : []
    })
  return told.at(-1)
}

/**
 * Lets `useChat` of the AI SDK ask this service directly from the page.
 *
 * @example
 * const { messages, sendMessage } = useChat({ transport: new CitewellChatTransport(client) })
 */
export class CitewellChatTransport {
  readonly #client: Pick<Client, 'ask'>
  readonly #options: Omit<AskOptions, 'signal' | 'threadId'>

  constructor(client: Pick<Client, 'ask'>, options: Omit<AskOptions, 'signal' | 'threadId'> = {}) {
    this.#client = client
    this.#options = options
  }

  /** Asks the last question of the messages. */
  sendMessages = async ({
    messages,
    abortSignal,
  }: {
    messages: readonly ChatMessage[]
    abortSignal: AbortSignal | undefined
  }): Promise<ReadableStream<CitewellChunk>> =>
    toUIMessageStream(
      this.#client.ask(questionOf(messages), {
        ...this.#options,
        threadId: threadOf(messages),
        signal: abortSignal,
      }),
    )

  /** An answer ends with its connection: there is nothing to come back to. */
  reconnectToStream = async (): Promise<null> => null
}
