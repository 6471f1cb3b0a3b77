import { z } from 'zod'

/** Freshdesk's ids are integers. */
const Id = z.union([z.int(), z.string().max(30)]).transform(String)
const Time = z.string().max(50)

/** https://developers.freshdesk.com/api/#tickets */
export const FreshdeskTicket = z.looseObject({
  id: Id,
  subject: z.string().nullish(),
  description: z.string().nullish(),
  description_text: z.string().nullish(),
  status: z.int(),
  source: z.int().nullish(),
  requester_id: Id.nullish(),
  requester: z.looseObject({ email: z.string().max(320).nullish() }).nullish(),
  group_id: Id.nullish(),
  tags: z.array(z.string().max(300)).max(1_000).nullish(),
  spam: z.boolean().nullish(),
  deleted: z.boolean().nullish(),
})
export type FreshdeskTicket = z.infer<typeof FreshdeskTicket>

export const FreshdeskTickets = z
  .array(
    z.looseObject({
      id: Id,
      updated_at: Time.nullish(),
      status: z.int().nullish(),
      source: z.int().nullish(),
      group_id: Id.nullish(),
      tags: z.array(z.string().max(300)).max(1_000).nullish(),
      spam: z.boolean().nullish(),
      deleted: z.boolean().nullish(),
    }),
  )
  .max(1_000)

export const FreshdeskConversations = z
  .array(
    z.looseObject({
      id: Id,
      body: z.string().nullish(),
      body_text: z.string().nullish(),
      /** Whether it came from outside. */
      incoming: z.boolean().nullish(),
      private: z.boolean().nullish(),
      user_id: Id.nullish(),
      source: z.int().nullish(),
      created_at: Time.nullish(),
    }),
  )
  .max(1_000)
export type FreshdeskConversation = z.infer<typeof FreshdeskConversations>[number]

export const FreshdeskAgent = z.looseObject({
  id: Id,
  /** 1: all tickets, 2: those of its groups, 3: those that are assigned to it. */
  ticket_scope: z.int().nullish(),
  contact: z.looseObject({ email: z.string().max(320).nullish() }).nullish(),
})

export const FreshdeskNamed = z.looseObject({ id: Id })

export const FreshdeskError = z.looseObject({ code: z.string().max(200) })

/** What an automation of the owner sends: only the ticket's id is used. */
export const FreshdeskHook = z.looseObject({ ticket_id: Id })
