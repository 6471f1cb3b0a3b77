import { z } from 'zod'
import { ChatBody, ChatDeltaFrame, ChatFirstFrame, ChatLastFrame } from './chat.ts'
import { declareEndpoints, GET } from './endpoint.ts'
import { ErrorBody, StreamError } from './errors.ts'
import { mayBeAbsent } from './fields.ts'
import { PublicKnowledgeBase } from './params.ts'

const QuestionId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Chosen by the client, to distinguish the answers on one socket.', examples: ['q1'] })

export const SocketAuth = z
  .object({
    type: z.literal('auth'),
    client_key: mayBeAbsent(z.string()).describe('A public key, or…'),
    client_id: mayBeAbsent(z.string()).describe('…a secret pair.'),
    client_secret: mayBeAbsent(z.string()),
  })
  .meta({
    id: 'SocketAuth',
    description: 'The first message.',
    examples: [{ type: 'auth', client_key: 'cw_pk_…' }],
  })

/** Fields of a chat message besides the chat body, which is validated separately: an error in the body ends only one question. */
export const SocketChatEnvelope = z.looseObject({
  type: z.literal('chat'),
  id: QuestionId,
  captcha_token: z.string().nullish().describe('A new token for each question, if the key requires one.'),
})

export const SocketChat = ChatBody.extend(SocketChatEnvelope.shape).meta({
  id: 'SocketChat',
  description: 'A question.',
  examples: [{ type: 'chat', id: 'q1', query: 'How do I rotate an API key?' }],
})

export const SocketCancel = z
  .object({ type: z.literal('cancel'), id: QuestionId })
  .meta({ id: 'SocketCancel', description: 'Ends one answer.', examples: [{ type: 'cancel', id: 'q1' }] })

/** Every message a client may send. */
export const SocketMessage = z
  .union([SocketAuth, SocketChat, SocketCancel])
  .meta({ id: 'SocketMessage', description: 'A message from a client, as JSON text.' })

/** The same messages, distinguished by type before the chat body is validated. */
export const SocketEnvelope = z.discriminatedUnion('type', [SocketAuth, SocketChatEnvelope, SocketCancel])

export type SocketEnvelope = z.infer<typeof SocketEnvelope>

const ofQuestion = { id: QuestionId }

/** Every frame that the service sends. */
export const SocketFrame = z
  .union([
    z.object({ type: z.literal('ready') }),
    ChatFirstFrame.extend({ type: z.literal('start'), ...ofQuestion }),
    ChatDeltaFrame.extend({ type: z.literal('delta'), ...ofQuestion }),
    ChatLastFrame.extend({ type: z.literal('done'), ...ofQuestion }),
    StreamError.extend({ type: z.literal('error'), ...ofQuestion }),
    ErrorBody.extend({
      type: z.literal('error'),
      id: QuestionId.optional(),
      retry_after: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Seconds to wait before the next attempt, if that is known.', examples: [31] }),
    }),
  ])
  .meta({
    id: 'SocketFrame',
    description: 'The frames of the chat stream, with their kind as `type` and the `id` of the question.',
    examples: [{ type: 'ready' }],
  })

export type SocketFrame = z.infer<typeof SocketFrame>

export const CHAT_SOCKET_ENDPOINTS = declareEndpoints({
  openChatSocket: {
    caller: 'public-key',
    room: 'channels/public-api',
    group: 'Ask and search',
    ...GET('/api/v1/public/knowledge-bases/{knowledgeBaseId}/ws'),
    summary: 'Open a WebSocket for questions',
    description:
      'The chat stream over a WebSocket, with concurrent questions. Send `auth` within 10 seconds; after `ready`, send `chat` with an `id` of your choice for each question, and `cancel` with that id to end an answer. A `chat` with the id of a question that is still being answered gets an `error` without an `id`.\n\nThe socket is closed with 1009 (a message above 64 kB), 4400 (no valid message), 4401 (no valid key), 4403 (the key may not be used here), 4404 (no such knowledge base), 4408 (nothing was sent for too long) or 4429 (too many questions: the error frame before it has `retry_after`).',
    params: PublicKnowledgeBase,
    answer: { status: 101, takes: SocketMessage, sends: SocketFrame },
  },
})
