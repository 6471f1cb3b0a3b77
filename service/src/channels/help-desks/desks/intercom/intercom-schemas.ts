import { z } from 'zod'

/** Ids are digits, as text or as a number. */
const Id = z.union([z.int(), z.string().max(100)]).transform(String)

const Author = z.looseObject({ type: z.string().max(50), id: Id.nullish() })

const Part = z.looseObject({
  id: Id,
  part_type: z.string().max(100),
  body: z.string().nullish(),
  author: Author.nullish(),
  redacted: z.boolean().nullish(),
})

export const IntercomConversation = z.looseObject({
  id: Id,
  state: z.string().max(50).nullish(),
  admin_assignee_id: Id.nullish(),
  source: z
    .looseObject({
      type: z.string().max(50).nullish(),
      id: Id.nullish(),
      subject: z.string().nullish(),
      body: z.string().nullish(),
      author: Author.nullish(),
      redacted: z.boolean().nullish(),
    })
    .nullish(),
  conversation_parts: z
    .looseObject({ conversation_parts: z.array(Part).max(1_000).nullish(), total_count: z.int().nullish() })
    .nullish(),
})

export type IntercomConversation = z.infer<typeof IntercomConversation>

export const IntercomMe = z.looseObject({
  type: z.string().max(50).nullish(),
  id: Id,
  email: z.string().max(300).nullish(),
  app: z.looseObject({ name: z.string().max(300).nullish() }).nullish(),
})

/** A notification: of it only its own id and that of the conversation are used. */
export const IntercomHook = z.looseObject({
  id: z.string().min(1).max(200),
  topic: z.string().max(200),
  data: z.looseObject({ item: z.looseObject({ id: Id }) }),
})
