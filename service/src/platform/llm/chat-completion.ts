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

/** One event of a streamed chat completion, as OpenAI documents it; other fields are ignored. */
const Chunk = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: Content,
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.unknown().optional(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
})
type Delta = NonNullable<NonNullable<z.output<typeof Chunk>['choices']>[number]['delta']>

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
  const { error, choices } = chunkOf(data)
  if (error !== undefined && error !== null) return [{ kind: 'error', error }]
  const choice = choices?.[0]
  const parts = choice?.delta ? partsOfDelta(choice.delta) : []
  if (choice?.finish_reason) parts.push({ kind: 'end', reason: choice.finish_reason })
  return parts
}

/** A response may have no body. */
async function* nothing(): AsyncGenerator<Uint8Array, void, void> {}

async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= MAX_REFUSAL_BYTES) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_REFUSAL_BYTES))
}

/** The body of a streamed chat completion, and what reads the events in its bytes: `partsOf` reads each. */
export interface ChatCompletion {
  body: AsyncIterable<Uint8Array>
  /** The data of the events that are complete with these bytes, in order. */
  eventsIn: (bytes: Uint8Array) => string[]
}

/**
 * Asks a server with OpenAI's API for a chat completion.
 *
 * @param tokenLimit the name of the field for the maximum number of output tokens
 * @throws ProviderRefusal for an error status, and whatever `fetch` throws
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
  if (!response.ok) throw new ProviderRefusal(response.status, response.headers, await startOf(body))
  return { body, eventsIn: createEventReader() }
}
