import { z } from 'zod'

/** Zendesk's ids are integers. */
const Id = z.union([z.int(), z.string().max(30)]).transform(String)

export const ZendeskTicket = z.looseObject({
  ticket: z.looseObject({
    id: Id,
    subject: z.string().nullish(),
    status: z.string().max(50),
    updated_at: z.string().max(40),
    requester_id: Id,
    via: z.looseObject({ channel: z.union([z.string(), z.int()]).nullish() }).nullish(),
    tags: z.array(z.string().max(300)).max(1_000).nullish(),
  }),
})

export const ZendeskComments = z.looseObject({
  comments: z
    .array(
      z.looseObject({
        id: Id,
        public: z.boolean(),
        author_id: Id,
        plain_body: z.string().nullish(),
        body: z.string().nullish(),
      }),
    )
    .max(1_000),
  users: z
    .array(z.looseObject({ id: Id, role: z.string().max(50).nullish() }))
    .max(1_000)
    .nullish(),
  meta: z.looseObject({ has_more: z.boolean().nullish() }).nullish(),
})

export const ZendeskMe = z.looseObject({
  user: z.looseObject({
    id: Id.nullish(),
    role: z.string().max(50).nullish(),
    email: z.string().max(300).nullish(),
  }),
})

/** What a trigger of the owner sends, and what an event subscription sends: only the ticket's id is used. */
export const ZendeskHook = z.union([
  z.looseObject({ ticket_id: Id }),
  z.looseObject({ detail: z.looseObject({ id: Id }) }),
])
