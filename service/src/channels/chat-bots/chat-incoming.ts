import { z } from 'zod'

/** Where an answer goes: the platform's own names, such as its channel and thread. */
export const ReplyPlace = z.record(z.string().max(50), z.string().max(2_000))

export type ReplyPlace = z.infer<typeof ReplyPlace>

/** Who asks, by the name that the platform shows; absent where it says none. */
const Asker = z.string().max(200).optional()

/** What people do to a bot, whatever the platform. Stored until it is handled. */
export const ChatIncoming = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('question'),
    /** The thread of the platform: its earlier questions to the bot are the context. */
    conversation: z.string().max(400),
    /** For places without threads: after so many milliseconds without a question a new conversation begins. */
    lastsMs: z.int().positive().optional(),
    /** Posts with the same lane are sent in order, and as fast as the platform allows. */
    lane: z.string().max(200),
    place: ReplyPlace,
    asker: Asker,
    /** Without the name of the bot. Empty if it was only named. */
    text: z.string().max(40_000),
  }),
  /** A button asks for a person. */
  z.object({
    kind: z.literal('wants_person'),
    conversation: z.string().max(400),
    lane: z.string().max(200),
    place: ReplyPlace,
    asker: Asker,
  }),
  z.object({ kind: z.literal('rating'), messageId: z.string().max(100), vote: z.enum(['up', 'down']) }),
  /** Where the platform rates the post that shows an answer: `ref` is what its post was known by. */
  z.object({ kind: z.literal('rating_of_post'), ref: z.string().max(1_100), vote: z.enum(['up', 'down']) }),
  /** The platform tells that the bot was removed or its token revoked. */
  z.object({ kind: z.literal('disconnected'), because: z.string().max(500) }),
])

export type ChatIncoming = z.infer<typeof ChatIncoming>

export type ChatQuestion = Extract<ChatIncoming, { kind: 'question' }>

/** A question, or a press on the button for a person: where it was said. */
export type ChatPlace = Pick<ChatQuestion, 'conversation' | 'lane' | 'place'> &
  Partial<Pick<ChatQuestion, 'asker' | 'lastsMs'>>
