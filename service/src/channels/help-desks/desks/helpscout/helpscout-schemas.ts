import { z } from 'zod'

/** Help Scout's ids are integers. */
const Id = z.union([z.int(), z.string().max(30)]).transform(String)

const Person = z.looseObject({
  id: Id.nullish(),
  /** customer, user or team. */
  type: z.string().max(50).nullish(),
  email: z.string().max(320).nullish(),
})

const Thread = z.looseObject({
  id: Id,
  /** customer, message, note, lineitem, phone, chat, and others. */
  type: z.string().max(50),
  /** published, draft, underreview or hidden. */
  state: z.string().max(50).nullish(),
  action: z.looseObject({ type: z.string().max(100).nullish() }).nullish(),
  /** HTML. */
  body: z.string().nullish(),
  source: z.looseObject({ type: z.string().max(100).nullish() }).nullish(),
  createdBy: Person.nullish(),
  createdAt: z.string().max(50).nullish(),
})
export type HelpscoutThread = z.infer<typeof Thread>

/** With `embed=threads`. */
export const HelpscoutConversation = z
  .looseObject({
    id: Id,
    /** email, chat or phone. */
    type: z.string().max(50).nullish(),
    /** active, pending, closed or spam. */
    status: z.string().max(50),
    /** published, draft or deleted. */
    state: z.string().max(50).nullish(),
    subject: z.string().nullish(),
    mailboxId: Id.nullish(),
    /** How many threads are published. */
    threads: z.int().nullish(),
    assignee: Person.nullish(),
    primaryCustomer: Person.nullish(),
    tags: z
      .array(z.looseObject({ tag: z.string().max(500) }))
      .max(1_000)
      .nullish(),
    _embedded: z.looseObject({ threads: z.array(Thread).max(1_000).nullish() }).nullish(),
  })
  .transform(({ _embedded: embedded, ...conversation }) => ({
    ...conversation,
    /** All of them, in no order. */
    all: embedded?.threads ?? [],
  }))
export type HelpscoutConversation = z.infer<typeof HelpscoutConversation>

const Listed = z.looseObject({
  id: Id,
  type: z.string().max(50).nullish(),
  status: z.string().max(50).nullish(),
  mailboxId: Id.nullish(),
  threads: z.int().nullish(),
  customerWaitingSince: z.looseObject({ time: z.string().max(50).nullish() }).nullish(),
})

/** A page of conversations; one without any has no `_embedded`. */
export const HelpscoutList = z
  .looseObject({
    _embedded: z.looseObject({ conversations: z.array(Listed).max(1_000).nullish() }).nullish(),
    page: z.looseObject({ totalPages: z.int().nullish(), totalElements: z.int().nullish() }).nullish(),
  })
  .transform(({ _embedded: embedded, page }) => ({
    items: embedded?.conversations ?? [],
    pages: page?.totalPages ?? 0,
    total: page?.totalElements ?? 0,
  }))

/** The mail as it came in, which Help Scout keeps for some days. */
export const HelpscoutSource = z.looseObject({ original: z.string() })

export const HelpscoutUser = z.looseObject({
  id: Id,
  firstName: z.string().max(300).nullish(),
  lastName: z.string().max(300).nullish(),
  email: z.string().max(320).nullish(),
})

export const HelpscoutInbox = z.looseObject({ id: Id, name: z.string().max(300).nullish() })

export const HelpscoutTeams = z
  .looseObject({
    _embedded: z
      .looseObject({
        teams: z
          .array(z.looseObject({ id: Id }))
          .max(1_000)
          .nullish(),
      })
      .nullish(),
  })
  .transform(({ _embedded: embedded }) => (embedded?.teams ?? []).map(({ id }) => id))

export const HelpscoutToken = z.looseObject({
  access_token: z.string().min(1).max(10_000),
  expires_in: z.number().min(0).max(10_000_000),
})

/** A webhook about a conversation: only its id is used. */
export const HelpscoutHook = z.looseObject({ id: Id })
