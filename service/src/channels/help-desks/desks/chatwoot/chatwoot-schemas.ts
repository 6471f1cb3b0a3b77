import { z } from 'zod'

/** Chatwoot's ids are integers. */
const Id = z.union([z.int(), z.string().max(30)]).transform(String)

export const ChatwootConversation = z.looseObject({
  id: Id,
  /** pending (with the bot), open (with people), resolved or snoozed. */
  status: z.string().max(50),
  meta: z.looseObject({
    /** Channel::WebWidget, Channel::Api, Channel::Email, and others. */
    channel: z.string().max(100).nullish(),
    assignee: z.looseObject({ id: Id.nullish() }).nullish(),
    /** AgentBot, where the assignee may be a bot. */
    assignee_type: z.string().max(100).nullish(),
  }),
})
export type ChatwootConversation = z.infer<typeof ChatwootConversation>

const Message = z.looseObject({
  id: Id,
  content: z.string().nullish(),
  /** 0: incoming, 1: outgoing, 2: what Chatwoot notes, 3: what it says by itself. */
  message_type: z.int(),
  private: z.boolean().nullish(),
  /** contact, user, agent_bot and others; without one it was an automation. */
  sender: z.looseObject({ type: z.string().max(50).nullish() }).nullish(),
})
export type ChatwootMessage = z.infer<typeof Message>

export const ChatwootMessages = z.looseObject({ payload: z.array(Message).max(1_000) })

export const ChatwootProfile = z.looseObject({
  id: Id,
  name: z.string().max(300).nullish(),
  email: z.string().max(320).nullish(),
  accounts: z
    .array(z.looseObject({ id: Id }))
    .max(10_000)
    .nullish(),
})

export const ChatwootTeam = z.looseObject({ id: Id })

export const ChatwootAny = z.unknown()

/** What a refusal says. */
export const ChatwootRefusal = z.looseObject({ error: z.string().max(1_000) })

/** A delivery to the bot: only the ids of the message and of its conversation are used. */
export const ChatwootHook = z.looseObject({
  event: z.literal('message_created'),
  id: Id,
  message_type: z.literal('incoming'),
  conversation: z.looseObject({ id: Id }),
})
