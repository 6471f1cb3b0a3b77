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

/** The last event of OpenAI's streams. */
const DONE = '[DONE]'

const textOf = (content: Delta['content']): string =>
  typeof content === 'string'
    ? content
    : (content ?? [])
        .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
        .join('')

function partsOfDelta({ content, refusal, reasoning_content, reasoning }: Delta): AnswerPart[] {
  const isThinking = (reasoning_content ?? reasoning ?? '') !== '' || Array.isArray(content)
  const text = `${textOf(content)}${refusal ?? ''}`
  return [
    ...(isThinking ? [{ kind: 'thinking' as const }] : []),
    ...(refusal ? [{ kind: 'refusal' as const }] : []),
    ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
  ]
}

/** The words of the fault are left out: they would repeat the answer in the log. */
function chunkOf(data: string): z.output<typeof Chunk> {
  try {
    return Chunk.parse(JSON.parse(data))
  } catch {
    throw new ModelFailure('internal', 'The model sent an event that is no part of an answer.')
  }
}

function partsOf(data: string): AnswerPart[] {
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

/**
 * Asks a server with OpenAI's API for a chat completion, and passes on what it streams.
 *
 * @param tokenLimit the name of the field for the maximum number of output tokens
 * @throws ProviderRefusal for an error status, ModelFailure for an event that is no part of an answer, and whatever `fetch` throws
 */
export async function* readChatCompletion(
  { baseUrl, apiKey, model }: ChatEndpoint,
  { messages, maxOutputTokens, signal }: ModelRequest,
  { fetch, tokenLimit }: { fetch: ModelFetch; tokenLimit: string },
): AsyncGenerator<AnswerPart, void, void> {
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
  const eventsOf = createEventReader()
  for await (const bytes of body) {
    for (const data of eventsOf(bytes)) {
      if (data === DONE) return
      if (data === '') continue
      // Not `yield*`: within an asynchronous generator it waits for each part several times.
      for (const part of partsOf(data)) yield part
    }
  }
}
