import { z } from 'zod'
import { Citation } from './chat.ts'
import { declareEndpoints, GET, POST } from './endpoint.ts'
import { fraction, Id, idOf, PageUrl, wholeNumber } from './fields.ts'
import { BODY_BYTES } from './limits.ts'
import { OpenAiError } from './openai-error.ts'

const TextPart = z.object({ type: z.literal('text'), text: z.string().max(BODY_BYTES.json) })

const Content = z
  .union([z.string().max(BODY_BYTES.json), z.array(TextPart).max(100)], { error: 'must be text' })
  .nullish()
  .meta({ description: 'Text, or parts of text.', examples: ['How do I rotate an API key?'] })

const Message = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: Content,
  })
  .meta({ id: 'OpenAiMessage', description: 'A message of the conversation.' })

/** `POST …/openai/chat/completions`. Other fields (temperature, tools…) are ignored. */
export const OpenAiChatBody = z
  .object({
    model: z
      .string()
      .max(200)
      .meta({ description: 'Id of the knowledge base.', examples: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'] }),
    messages: z
      .array(Message)
      .min(1)
      .max(500)
      .describe(
        'The last message of the user is the question; earlier turns are taken into account. System messages are ignored: the style of answers is set on the knowledge base.',
      ),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    user: z
      .string()
      .max(320)
      .nullish()
      .meta({ description: 'Who asks, for analytics.', examples: ['user-42'] }),
  })
  .meta({
    id: 'OpenAiChatBody',
    examples: [
      {
        model: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
        messages: [{ role: 'user', content: 'How do I rotate an API key?' }],
      },
    ],
  })

export type OpenAiChatBody = z.infer<typeof OpenAiChatBody>

const count = wholeNumber(12)

const Usage = z
  .object({ prompt_tokens: count, completion_tokens: count, total_tokens: count })
  .meta({ id: 'OpenAiUsage', description: 'Estimated from the messages and the answer.' })

const Annotation = z
  .object({
    type: z.literal('url_citation'),
    url_citation: z.object({
      start_index: count.describe('Where its `[n]` starts in the content.'),
      end_index: count,
      title: z.string().meta({ examples: ['Rotating keys'] }),
      url: PageUrl.meta({ examples: ['https://docs.example.com/keys#rotation'] }),
    }),
  })
  .meta({ id: 'OpenAiAnnotation', description: 'A page that the content cites.' })

const FinishReason = z.enum(['stop', 'length', 'content_filter']).meta({ examples: ['stop'] })

/** Fields without an equivalent in OpenAI's format. */
const Extra = z
  .object({
    answer: z.string().meta({
      description: 'The final answer without the list of sources.',
      examples: ['Keys are rotated every day [1].'],
    }),
    citations: z.array(Citation),
    covered: z.boolean().meta({ examples: [true] }),
    confidence: fraction(0.86),
    thread_id: Id.optional().describe('Omitted under zero data retention.'),
    message_id: Id.optional().describe('Send it to rate the answer. Omitted under zero data retention.'),
  })
  .meta({ id: 'OpenAiExtra', description: 'Extension: the fields of the last frame of a chat stream.' })

const common = {
  id: z.string().meta({ examples: ['chatcmpl-0197f0c28a4e'] }),
  created: wholeNumber(1_773_065_112).describe('Seconds since 1970.'),
  model: idOf('knowledge base'),
}

export const OpenAiCompletion = z
  .object({
    ...common,
    object: z.literal('chat.completion'),
    choices: z
      .array(
        z.object({
          index: z.literal(0),
          message: z.object({
            role: z.literal('assistant'),
            content: z.string().meta({
              description: 'The answer, followed by the cited pages as a Markdown list.',
              examples: [
                'Keys are rotated every day [1].\n\n**Sources**\n\n1. [Rotating keys](https://docs.example.com/keys)',
              ],
            }),
            refusal: z.null(),
            annotations: z.array(Annotation),
          }),
          finish_reason: FinishReason,
          logprobs: z.null(),
        }),
      )
      .length(1),
    usage: Usage,
    citewell: Extra.optional(),
  })
  .meta({ id: 'OpenAiCompletion', description: 'A whole answer.' })

export type OpenAiCompletion = z.infer<typeof OpenAiCompletion>

export const OpenAiChunk = z
  .object({
    ...common,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: z.object({
          role: z.literal('assistant').optional(),
          content: z
            .string()
            .optional()
            .meta({ examples: ['Keys are rotated '] }),
          annotations: z.array(Annotation).optional(),
        }),
        finish_reason: FinishReason.nullable(),
        logprobs: z.null(),
      }),
    ),
    usage: Usage.nullish(),
    citewell: Extra.optional(),
  })
  .meta({ id: 'OpenAiChunk', description: 'A piece of an answer. The last event is `[DONE]`.' })

export type OpenAiChunk = z.infer<typeof OpenAiChunk>

export const OpenAiModels = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        id: idOf('knowledge base'),
        object: z.literal('model'),
        created: wholeNumber(1_773_065_112),
        owned_by: z.string().meta({ examples: ['citewell'] }),
        name: z.string().meta({ description: 'Extension: its name.', examples: ['Acme docs'] }),
      }),
    ),
  })
  .meta({ id: 'OpenAiModels', description: 'The knowledge base of the key.' })

export type OpenAiModels = z.infer<typeof OpenAiModels>

const about = {
  caller: 'public-key',
  room: 'channels/public-api',
  group: 'With OpenAI’s clients',
  wireFormat: 'openai',
} as const

export const OPENAI_ENDPOINTS = declareEndpoints({
  completeChat: {
    ...about,
    ...POST('/api/v1/public/openai/chat/completions'),
    summary: 'Ask with an OpenAI client',
    description:
      'The answers of the chat endpoint in the format of OpenAI’s chat completions. Set the base URL of your client to `…/api/v1/public/openai` and its API key to a client key.',
    captcha: 'chat',
    body: OpenAiChatBody,
    answer: { status: 200, body: OpenAiCompletion, events: z.union([OpenAiChunk, OpenAiError]) },
    refusals: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  listModels: {
    ...about,
    ...GET('/api/v1/public/openai/models'),
    summary: 'List the models of an OpenAI client',
    answer: { status: 200, body: OpenAiModels },
  },
})
