import { z } from 'zod'

/** Zammad's ids are integers. */
const Id = z.union([z.int(), z.string().max(30)]).transform(String)

/** With `expand=true`, which gives names beside the ids. */
export const ZammadTicket = z.looseObject({
  id: Id,
  title: z.string().nullish(),
  group: z.string().max(300).nullish(),
  state: z.string().max(300).nullish(),
  customer_id: Id,
})
export type ZammadTicket = z.infer<typeof ZammadTicket>

export const ZammadArticles = z
  .array(
    z.looseObject({
      id: Id,
      /** Customer, Agent or System. */
      sender: z.string().max(100).nullish(),
      /** email, web, note, phone, and the names of social networks. */
      type: z.string().max(100).nullish(),
      internal: z.boolean().nullish(),
      from: z.string().max(1_000).nullish(),
      body: z.string().nullish(),
      content_type: z.string().max(200).nullish(),
      created_by_id: Id.nullish(),
      preferences: z.looseObject({ 'is-auto-response': z.boolean().nullish() }).nullish(),
    }),
  )
  .max(1_000)
export type ZammadArticle = z.infer<typeof ZammadArticles>[number]

export const ZammadUser = z.looseObject({ id: Id, email: z.string().max(320).nullish() })

export const ZammadTickets = z.array(z.looseObject({ id: Id })).max(1_000)

/** What a trigger of the owner sends: only the ticket's id is used. */
export const ZammadHook = z.looseObject({ ticket: z.looseObject({ id: Id }) })
