import { z } from 'zod'

const Id = z.string().min(1).max(100)
/** Seconds since 1970, with a fraction. */
const Time = z.number()

/** A list, and the address of its next page. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .looseObject({
      _pagination: z.looseObject({ next: z.string().max(5_000).nullish() }).nullish(),
      _results: z.array(item).max(1_000),
    })
    .transform(({ _pagination: pages, _results: items }) => ({ items, next: pages?.next ?? undefined }))

export const FrontConversation = z.looseObject({
  id: Id,
  subject: z.string().nullish(),
  status: z.string().max(50).nullish(),
  /** Where the company has tickets: open, waiting or resolved. */
  status_category: z.string().max(50).nullish(),
  assignee: z.looseObject({ id: Id }).nullish(),
})
export type FrontConversation = z.infer<typeof FrontConversation>

const Recipient = z.looseObject({ handle: z.string().max(500).nullish(), role: z.string().max(50).nullish() })

const Message = z.looseObject({
  id: Id,
  type: z.string().max(50).nullish(),
  is_inbound: z.boolean(),
  is_draft: z.boolean().nullish(),
  draft_mode: z.string().max(50).nullish(),
  created_at: Time,
  author: z.looseObject({ id: Id }).nullish(),
  recipients: z.array(Recipient).max(1_000).nullish(),
  body: z.string().nullish(),
  text: z.string().nullish(),
})
export type FrontMessage = z.infer<typeof Message>
export const FrontMessages = listOf(Message)

const Comment = z.looseObject({
  id: Id,
  author: z.looseObject({ id: Id }).nullish(),
  body: z.string().nullish(),
  posted_at: Time,
})
export type FrontComment = z.infer<typeof Comment>
export const FrontComments = listOf(Comment)

const Event = z.looseObject({ id: Id, emitted_at: Time, conversation: z.looseObject({ id: Id }).nullish() })
export type FrontEvent = z.infer<typeof Event>
export const FrontEvents = listOf(Event)

/** A list of which only the ids are used. */
export const FrontList = listOf(z.looseObject({ id: Id }))

export const FrontNamed = z.looseObject({
  id: Id,
  name: z.string().max(300).nullish(),
  email: z.string().max(320).nullish(),
})

/** An application webhook: of it only the ids of the event and of its conversation are used. */
export const FrontHook = z.looseObject({
  payload: z.looseObject({ id: Id, conversation: z.looseObject({ id: Id }) }),
})
