import { z } from 'zod'
import { createEventReader } from './event-data.ts'
import { ModelFailure, type ModelRequest } from './language-model.ts'
import { MAX_REFUSAL_BYTES, ProviderRefusal } from './provider-refusal.ts'

/** What is read of a response to a model call. */
interface ModelResponse {
  ok: boolean
  status: number
  headers: Headers
  body: AsyncIterable<Uint8Array> | null
}

/** What is used of the platform's fetch, so that it and a guarded one fit. */
export type ModelFetch = (
  address: string,
  init: Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>,
) => Promise<ModelResponse>

export interface ChatEndpoint {
  /** The address without `/chat/completions`, e.g. `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | undefined
  model: string
}

/** A part of a streamed answer. `thinking` is text that readers do not get; `refusal` says that the text is that of a model which refuses. */
export type AnswerPart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking' }
  | { kind: 'refusal' }
  | { kind: 'end'; reason: string }
  | { kind: 'error'; error: unknown }

/** Text, or parts of text and thinking. */
const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish()

const Delta = z.object({
  content: Content,
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.unknown().optional(),
})
type Delta = z.output<typeof Delta>

/** One event of a streamed chat completion as OpenAI documents it, or a whole one that is not streamed; other fields are ignored. */
const Chunk = z.looseObject({
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        delta: Delta.nullish(),
        /** Instead, where nothing is streamed. */
        message: Delta.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
})

/** The last event of OpenAI's streams: nothing follows, although the connection may stay open. */
export const DONE = '[DONE]'

const textOf = (content: Delta['content']): string =>
  typeof content === 'string'
    ? content
    : (content ?? [])
        .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
        .join('')

function partsOfDelta({ content, refusal, reasoning_content, reasoning }: Delta): AnswerPart[] {
  const isThinking = (reasoning_content ?? reasoning ?? '') !== '' || Array.isArray(content)
  const text = `${textOf(content)}${refusal ?? ''}`
  const parts: AnswerPart[] = []
  if (isThinking) parts.push({ kind: 'thinking' })
  if (refusal) parts.push({ kind: 'refusal' })
  if (text !== '') parts.push({ kind: 'text', text })
  return parts
}

/** The words of the fault are left out: they would repeat the answer in the log. */
function chunkOf(data: string): z.output<typeof Chunk> {
  try {
    return Chunk.parse(JSON.parse(data))
  } catch {
    throw new ModelFailure('internal', 'The model sent an event that is no part of an answer.')
  }
}

/**
 * The parts of an answer in one event, in order.
 *
 * @throws ModelFailure for an event that is no part of an answer
 */
export function partsOf(data: string): AnswerPart[] {
  if (data === '') return []
  const chunk = chunkOf(data)
  // Some servers send their error without an envelope.
  const error = chunk.error ?? (chunk.object === 'error' ? chunk : undefined)
  if (error !== undefined) return [{ kind: 'error', error }]
  const choice = chunk.choices?.[0]
  const said = choice?.delta ?? choice?.message
  const parts = said ? partsOfDelta(said) : []
  if (choice?.finish_reason) parts.push({ kind: 'end', reason: choice.finish_reason })
  return parts
}

const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** A response may have no body. */
async function* nothing(): AsyncGenerator<Uint8Array, void, void> {}

async function startOf(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= most) break
  }
  return Buffer.concat(chunks).subarray(0, most)
}

/** The maximum of an answer that is not streamed, in bytes. */
const MAX_ANSWER_BYTES = 8_000_000

/** A whole body in one piece. */
async function* inOnePiece(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield await startOf(body, MAX_ANSWER_BYTES)
}

/** The body of a chat completion, streamed or not, and what reads the events in its bytes: `partsOf` reads each. */
export interface ChatCompletion {
  body: AsyncIterable<Uint8Array>
  /** The data of the events that are complete with these bytes, in order. */
  eventsIn: (bytes: Uint8Array) => string[]
}

/**
 * Asks a server with OpenAI's API for a chat completion.
 *
 * @param tokenLimit the name of the field for the maximum number of output tokens
 * @throws ProviderRefusal for an error status, ModelFailure for a page, and whatever `fetch` throws
 */
export async function openChatCompletion(
  { baseUrl, apiKey, model }: ChatEndpoint,
  { messages, maxOutputTokens, signal }: ModelRequest,
  { fetch, tokenLimit }: { fetch: ModelFetch; tokenLimit: string },
): Promise<ChatCompletion> {
  const response = await fetch(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, [tokenLimit]: maxOutputTokens, messages, stream: true }),
    signal,
  })
  const body: AsyncIterable<Uint8Array> = response.body ?? nothing()
  if (!response.ok) {
    const start = textIn(await startOf(body, MAX_REFUSAL_BYTES))
    // Some providers repeat the key that they were sent: nobody may read it, in no log either.
    const said = apiKey === undefined ? start : start.replaceAll(apiKey, '[key]')
    throw new ProviderRefusal(response.status, response.headers, said)
  }
  const type = response.headers.get('content-type') ?? ''
  if (/^text\/html\b/i.test(type))
    throw new ModelFailure(
      'misconfigured',
      'The address of the model answers with a page, not as a model does.',
    )
  // Some servers do not stream, whatever they are asked for.
  if (/^application\/json\b/i.test(type)) return { body: inOnePiece(body), eventsIn: (all) => [textIn(all)] }
  return { body, eventsIn: createEventReader() }
}
