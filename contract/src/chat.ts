import { z } from 'zod'
import { HeadingPath } from './documents.ts'
import { StreamError } from './errors.ts'
import { fraction, Id, idOf, mayBeAbsent, PageUrl, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { isStorableText } from './storable-text.ts'

/** Replaces an invalid value with an id that no source group has: the room then answers GROUP_NOT_ALLOWED, as for any foreign group. */
const NOT_A_GROUP = 'not-a-group'

export const GroupIds = z
  // A text with a character that cannot be stored is a bad value like any other.
  .array(z.string().max(100).refine(isStorableText))
  .max(200)
  .nullish()
  .catch([NOT_A_GROUP])
  .meta({
    description: 'Use only these source groups. If omitted or empty: all that the key may use.',
    examples: [[]],
  })

/** A bad `widget_id` is an error of the request, not an unknown widget. */
export const WidgetId = mayBeAbsent(Id).describe(
  'Answer in the voice of this widget. Its `enabled` switch and its allowed origins then apply too.',
)

const TopK = z
  .number()
  .min(1, { error: 'must be at least 1' })
  .nullable()
  .transform((asked) => Math.min(LIMITS.topK.max, Math.floor(asked ?? LIMITS.topK.default)))
  .prefault(LIMITS.topK.default)
  .meta({ description: 'How many passages to retrieve; more than 100 counts as 100.', examples: [15] })

export const User = z
  .object({
    id: mayBeAbsent(z.string().max(200)).meta({ examples: ['user-42'] }),
    email: mayBeAbsent(z.string().max(320)),
  })
  .nullish()
  .describe('Who asks, for analytics; `id` is used when both are sent.')

/** `POST …/chat`. Unknown fields are ignored. */
export const ChatBody = z
  .object({
    query: text(1, LIMITS.query).meta({
      description: 'The question.',
      examples: ['How do I rotate an API key?'],
    }),
    thread_id: Id.optional()
      .catch(undefined)
      .describe('Continue this conversation. An invalid id starts a new one.'),
    top_k: TopK,
    group_ids: GroupIds,
    user: User,
    widget_id: WidgetId,
  })
  .meta({ id: 'ChatBody', description: 'A question.', examples: [{ query: 'How do I rotate an API key?' }] })

export type ChatBody = z.infer<typeof ChatBody>

/** `POST …/threads/{threadId}/chat`: the thread is in the address, and the reader is known from its start. */
export const ThreadChatBody = ChatBody.omit({ thread_id: true, user: true }).meta({
  id: 'ThreadChatBody',
  description: 'A follow-up question.',
  examples: [{ query: 'And on Windows?' }],
})

export type ThreadChatBody = z.infer<typeof ThreadChatBody>

export const Citation = z
  .object({
    index: z
      .int()
      .min(1)
      .meta({ description: '`[n]` in the text refers to the citation with index n.', examples: [1] }),
    title: z.string().meta({ examples: ['Rotating keys'] }),
    url: PageUrl.meta({
      description:
        'Opens the page at the section, and in current browsers at the words. A document without its own address (an uploaded file, a local folder) has a page of this service that shows it.',
      examples: ['https://docs.example.com/keys#rotation'],
    }),
    document_id: idOf('document'),
    chunk_id: idOf('passage'),
    heading_path: HeadingPath,
    excerpt: z.string().meta({ examples: ['Keys are rotated every day at midnight, UTC.'] }),
  })
  .meta({ id: 'Citation', description: 'A passage that an answer is based on.' })

export type Citation = z.infer<typeof Citation>

const Citations = z.array(Citation)

export const ChatFirstFrame = z
  .strictObject({
    citations: Citations.optional().describe('Pages found for the question. Omitted if nothing was found.'),
    done: z.literal(false),
  })
  .meta({ id: 'ChatFirstFrame', description: 'The first frame: what was found.' })

export const ChatDeltaFrame = z
  .object({
    delta: z
      .string()
      .meta({ description: 'The next piece of the answer: append it.', examples: ['Keys are rotated '] }),
    done: z.literal(false),
  })
  .meta({ id: 'ChatDeltaFrame', description: 'A piece of the answer.' })

export const ChatLastFrame = z
  .object({
    done: z.literal(true),
    thread_id: Id.optional().describe(
      'Send it to continue the conversation. Omitted under zero data retention.',
    ),
    message_id: Id.optional().describe('Send it to rate the answer. Omitted under zero data retention.'),
    citations: Citations.describe(
      'The citations of the answer. They replace the first list, and may be empty.',
    ),
    answer: z
      .string()
      .optional()
      .meta({
        description: 'Only when the final text differs from the streamed one: it replaces it.',
        examples: ['Keys are rotated every day [1].'],
      }),
    covered: z
      .boolean()
      .meta({ description: 'False when the knowledge base does not cover the question.', examples: [true] }),
    confidence: fraction(0.86),
    powered_by: z
      .string()
      .optional()
      .meta({ examples: ['Citewell'] }),
    powered_by_url: z.string().optional(),
  })
  .meta({ id: 'ChatLastFrame', description: 'The last frame: how the answer ended.' })

export type ChatLastFrame = z.infer<typeof ChatLastFrame>

const EXAMPLE_CITATION = {
  index: 1,
  title: 'Rotating keys',
  url: 'https://docs.example.com/keys#rotation',
  document_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-9b11-7a02-8c4d-1e7f3b5a9d26',
  heading_path: ['Keys', 'Rotation'],
  excerpt: 'Keys are rotated every day at midnight, UTC.',
}

/** One `data:` line of the chat stream. */
export const ChatFrame = z.union([ChatFirstFrame, ChatDeltaFrame, ChatLastFrame, StreamError]).meta({
  id: 'ChatFrame',
  description: 'One frame of a chat stream.',
  examples: [
    { citations: [EXAMPLE_CITATION], done: false },
    { delta: 'Keys are rotated every day ', done: false },
    { delta: 'at midnight [1].', done: false },
    {
      done: true,
      thread_id: '5f0c8a5e-3b1d-4c86-9b53-0d7c1d6f2a94',
      message_id: 'c1a6e1de-7f7b-4f0e-8b0a-92b6f6a6f5b3',
      citations: [EXAMPLE_CITATION],
      covered: true,
      confidence: 0.86,
      powered_by: 'Citewell',
    },
  ],
})

export type ChatFrame = z.infer<typeof ChatFrame>
